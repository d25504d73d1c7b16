import { createScript } from './script.ts';

/**
 * Native expiry is a little later than the record's own: that one is held against the clock of the process that reads,
 * which may be behind the clock of the one that wrote.
 */
const slackMilliseconds = 10_000;

/** How long an entry has had no record when it is taken for gone: no put is on its way for that long. */
const graceMilliseconds = 120_000;

/** Clock and indexes, for every script. `ARGV[1]`: the instant, by the clock of the process that asks. */
export const indexing = `
local now = tonumber(ARGV[1])
local slack = ${slackMilliseconds}

-- 'never' is after every instant.
local function toNumber(expiry)
  return expiry == 'never' and math.huge or tonumber(expiry)
end

local function toScore(expiry)
  return expiry == 'never' and '+inf' or expiry
end

-- By time left: the clock of this server plays no part.
local function expire(key, expiry)
  if expiry == math.huge then
    redis.call('PERSIST', key)
  else
    redis.call('PEXPIRE', key, string.format('%.0f', expiry - now + slack))
  end
end

-- Forget what has expired, some at a time, and let an index go with the last record in it.
local function trim(expiries, ids)
  local gone = redis.pcall('ZRANGEBYSCORE', expiries, '-inf', string.format('(%.0f', now - slack), 'LIMIT', 0, 100)
  -- A slot on the move: the index has gone with its last entry.
  if gone.err then return end
  if #gone > 0 then
    redis.call('ZREM', expiries, unpack(gone))
    if ids then redis.call('ZREM', ids, unpack(gone)) end
  end
  local last = redis.call('ZREVRANGE', expiries, 0, 0, 'WITHSCORES')[2]
  if not last then return end
  expire(expiries, tonumber(last))
  if ids then expire(ids, tonumber(last)) end
end

local function enlist(list, member, expiry)
  redis.call('ZADD', list .. ':ids', 0, member)
  redis.call('ZADD', list .. ':expiries', toScore(expiry), member)
  redis.call('ZREM', list .. ':suspects', member)
  trim(list .. ':expiries', list .. ':ids')
end

local function delist(list, member)
  for _, index in ipairs({ ':ids', ':expiries', ':suspects' }) do redis.call('ZREM', list .. index, member) end
end
`;

/** `ARGV`: now, list, then member and expiry of each record that belongs into it. */
export const enlistScript = createScript(`${indexing}
for at = 3, #ARGV, 2 do enlist(ARGV[2], ARGV[at], ARGV[at + 1]) end
`);

/**
 * `ARGV`: now, list, then each entry that a page found no record for. In a Cluster an entry may be there before its
 * record: it goes only if it was without one earlier as well, and has not been put since, which would have cleared it.
 */
export const suspectScript = createScript(`${indexing}
local suspects = ARGV[2] .. ':suspects'
for at = 3, #ARGV do
  local since = redis.call('ZSCORE', suspects, ARGV[at])
  if not since then
    redis.call('ZADD', suspects, ARGV[1], ARGV[at])
  elseif tonumber(since) <= now - ${graceMilliseconds} then
    delist(ARGV[2], ARGV[at])
  end
end
redis.call('PEXPIRE', suspects, 86400000)
`);
