"""Records docs/images/create-carnet.svg: a terminal in which `npm create carnet` is answered and its app is started.

  python3 -m venv /tmp/recording && /tmp/recording/bin/pip install asciinema pexpect
  npm run registry    # in another terminal; copy its export line
  export npm_config_registry=http://127.0.0.1:PORT/ npm_config_userconfig=/dev/null npm_config_loglevel=error
  cd "$(mktemp -d)"   # Node.js 24 first on PATH
  /tmp/recording/bin/asciinema rec --cols 92 --rows 30 -i 1.5 -c "/tmp/recording/bin/python .../record-terminal.py" create.cast
  npx svg-term-cli --in create.cast --out .../docs/images/create-carnet.svg --width 92 --height 30 --window
"""

import os
import sys

import pexpect

shell = pexpect.spawn(
    "bash",
    ["--norc", "--noprofile"],
    env={**os.environ, "PS1": "$ "},
    dimensions=(30, 92),
    encoding="utf8",
    timeout=120,
)
shell.logfile_read = sys.stdout


def wait(seconds):
    """Shows what the terminal prints meanwhile."""
    shell.expect(pexpect.TIMEOUT, timeout=seconds)


def type_line(text):
    for character in text:
        shell.send(character)
        wait(0.05)
    wait(0.4)
    shell.send("\r")


shell.expect_exact("$ ")
type_line("npm create -y carnet my-login")
for question in ["Where does Carnet run", "store its data", "sign users in", "MCP server", "npm install"]:
    shell.expect(question)
    wait(1.2)
    shell.send("\r")
shell.expect_exact("before production.")
wait(1.5)
type_line("cd my-login && npm start")
shell.expect("localhost:3000", timeout=60)
wait(4)
shell.sendcontrol("c")
wait(1)
shell.close(force=True)
