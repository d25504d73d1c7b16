import { indexing } from './index-scripts.ts';
import { createScript } from './script.ts';

/**
 * Carry out a commit, or one part of it. Redis does not roll a script back: everything is read and decided first, on
 * tables of this script, and only a commit without a conflict reaches the part that writes. What Redis refuses (a key
 * that has moved to another node, a replica, full memory) it then refuses before the first change: all keys were read,
 * and what needs memory is written first. No key is removed and then used again, which a slot on the move would not
 * allow.
 *
 * `KEYS`: of the records and the grants' indexes; last the marker, where `ARGV[2]` is its value.
 * `ARGV`: now, marker or empty, whether the lists are on this server, whether replicas are waited for (empty: no), then
 * the
 *   writes: type, key and grant by their number in `KEYS` (0: none), and
 *   put, replace, claim: expiry, list and member (or empty), number of texts, field, value ...
 *   consume: instant
 *   merge: expiry or empty, number of fields, field ...
 * Answers `ok`, and of each record whose expiry was moved its list, member and expiry; or `conflict`, the number of
 * the write, the reason; or `lost`: the data set is not the one that is asked for.
 */
export const commitScript = createScript(`${indexing}
if ARGV[2] ~= '' and redis.call('GET', KEYS[#KEYS]) ~= ARGV[2] then return { 'lost' } end

-- Where one server has it all, the lists change with the records.
local keepsLists, isAwaited = ARGV[3] ~= '', ARGV[4] ~= ''

local cursor = 4
local function take()
  cursor = cursor + 1
  return ARGV[cursor]
end

local function takeMany()
  local texts = {}
  for i = 1, tonumber(take()) do texts[i] = take() end
  return texts
end

-- The records this commit touches, as they stand after its writes so far.
local records, touched = {}, {}

local function look(key, grant)
  if records[key] then return records[key] end
  local found = redis.call('HMGET', key, 'expiry', 'consumed', 'list', 'member')
  local record = {
    key = key, grant = grant, expiry = found[1], consumed = found[2], list = found[3], member = found[4],
    live = found[1] and now < toNumber(found[1]), exists = found[1], formerList = found[3], formerMember = found[4],
    fields = {}, former = {}
  }
  records[key] = record
  touched[#touched + 1] = record
  return record
end

local function vanish(record)
  record.changed, record.live = true, false
end

local function insert(record, write)
  if record.exists and not record.fresh then record.former = redis.call('HKEYS', record.key) end
  record.changed, record.fresh, record.consumed = true, true, false
  record.expiry, record.list, record.member, record.fields = write.expiry, write.list, write.member, write.fields
  record.live = now < toNumber(write.expiry)
end

local function useable(record)
  return not record.live and 'absent' or record.consumed and 'consumed'
end

local carryOut = {
  put = insert,
  replace = function(record, write)
    if not record.live then return 'absent' end
    insert(record, write)
  end,
  claim = function(record, write)
    if record.live then return 'exists' end
    insert(record, write)
  end,
  remove = vanish,
  consume = function(record, write)
    if useable(record) then return useable(record) end
    record.changed, record.consumed = true, true
    table.insert(record.fields, 'consumed')
    table.insert(record.fields, write.at)
  end,
  merge = function(record, write)
    if useable(record) then return useable(record) end
    record.changed = true
    for _, field in ipairs(write.fields) do
      table.insert(record.fields, field)
      table.insert(record.fields, '')
    end
    if write.expiry == '' then return end
    record.moved, record.expiry, record.live = true, write.expiry, now < toNumber(write.expiry)
    table.insert(record.fields, 'expiry')
    table.insert(record.fields, write.expiry)
  end
}

-- An index of a grant is named after the keys of its records.
local function stem(grant)
  return string.sub(grant, 1, -1 - #'revoke')
end

local function revoke(grant)
  for _, suffix in ipairs(redis.call('ZRANGE', grant, 0, -1)) do look(stem(grant) .. suffix, grant) end
  for _, record in ipairs(touched) do
    if record.grant == grant then vanish(record) end
  end
end

local inserts = { put = true, replace = true, claim = true }

local function takeWrite()
  local write = { type = take(), key = KEYS[tonumber(take())], grant = KEYS[tonumber(take())] }
  if inserts[write.type] then
    write.expiry, write.list, write.member = take(), take(), take()
    if write.list == '' then write.list = false end
    write.fields = takeMany()
  elseif write.type == 'consume' then
    write.at = take()
  elseif write.type == 'merge' then
    write.expiry = take()
    write.fields = takeMany()
  end
  return write
end

-- What was taken back before may not be with the replicas yet, and to answer that it is gone is to promise it. They are
-- waited for up to what this connection wrote last: so it makes a write without effect.
local function writeNothing()
  local record = touched[1] or { key = KEYS[1] }
  redis.call('HSET', record.key, 'expiry', record.exists or '')
  if not record.exists then redis.call('DEL', record.key) end
end

local number = 0
while cursor < #ARGV do
  local write = takeWrite()
  local reason
  if write.type == 'revoke' then
    revoke(write.grant)
  else
    reason = carryOut[write.type](look(write.key, write.grant), write)
  end
  if reason then
    if isAwaited then writeNothing() end
    return { 'conflict', number, reason }
  end
  number = number + 1
end

-- Some at a time: the stack of a script is small.
local function callInParts(command, key, texts)
  for at = 1, #texts, 1000 do
    redis.call(command, key, unpack(texts, at, math.min(at + 999, #texts)))
  end
end

local function stale(record)
  local written, names = {}, {}
  for at = 1, #record.fields, 2 do written[record.fields[at]] = true end
  for _, name in ipairs(record.former) do
    if not written[name] then names[#names + 1] = name end
  end
  return names
end

local function store(record)
  callInParts('HSET', record.key, record.fields)
  callInParts('HDEL', record.key, stale(record))
  if record.fresh or record.moved then expire(record.key, toNumber(record.expiry)) end
end

local function indexByGrant(record)
  local suffix = string.sub(record.key, #stem(record.grant) + 1)
  if not record.live then
    redis.call('ZREM', record.grant, suffix)
  elseif record.fresh or record.moved then
    redis.call('ZADD', record.grant, toScore(record.expiry), suffix)
  end
end

local function indexByList(record)
  if record.formerList and not (record.live and record.list == record.formerList) then
    delist(record.formerList, record.formerMember)
  end
  if record.live and record.list and (record.fresh or record.moved) then
    enlist(record.list, record.member, record.expiry)
  end
end

-- From here on things change.
local kept, removed, grants, hasWritten = {}, {}, {}, false
for _, record in ipairs(touched) do
  if record.changed then table.insert(record.live and kept or removed, record) end
  if record.changed and record.grant then grants[record.grant] = true end
end
for _, record in ipairs(kept) do
  store(record)
  hasWritten = hasWritten or #record.fields > 0
end
for _, record in ipairs(removed) do
  if record.exists then redis.call('DEL', record.key) end
  hasWritten = hasWritten or record.exists
end
if isAwaited and not hasWritten then writeNothing() end

local answer = { 'ok' }
for _, records in ipairs({ kept, removed }) do
  for _, record in ipairs(records) do
    if record.grant then indexByGrant(record) end
    if keepsLists then
      indexByList(record)
    elseif record.live and record.list and record.moved then
      for _, text in ipairs({ record.list, record.member, record.expiry }) do table.insert(answer, text) end
    end
  end
end
for grant in pairs(grants) do trim(grant) end
return answer
`);
