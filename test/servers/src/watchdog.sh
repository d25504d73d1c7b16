# Ends a server and removes its folder once the process that started it has ended in any way: our standard input closes then.
# Arguments: the signal that ends the server, and the folder. Each line read is the server's process id, or empty.
signal=$1
folder=$2
server=
while read -r line; do server=$line; done
if [ -n "$server" ]; then
  kill -s "$signal" "$server"
  # One that was paused hears nothing else.
  kill -s CONT "$server"
  tries=0
  while kill -s 0 "$server" && [ "$tries" -lt 80 ]; do
    sleep 0.1
    tries=$((tries + 1))
  done
  kill -s KILL "$server"
fi 2>/dev/null
rm -rf -- "$folder"
