-- Takes waiting rows of a job for an instance: first those of instances that are silent, then new ones. ARGV: job, instance,
-- milliseconds of silence, most rows, the limit of the round in which rows are laid out, or empty if they are made.
-- Returns {1 if there are no others now, number, cells, number, cells, …}; {1} if the job is not running, or is in another round.
local id, instance, most = ARGV[1], ARGV[2], tonumber(ARGV[4])
local job, queue = of('job', id), of('queue', id)
local held = redis.call('HMGET', job, 'state', 'limit')
local taken = {'1'}
if held[1] ~= '"running"' or (ARGV[5] ~= '' and (held[2] or 'none') ~= ARGV[5]) then
  return taken
end
local function room()
  return most - (#taken - 1) / 2
end
local function offer(entries)
  for _, entry in ipairs(entries) do
    local number = string.match(entry[1], '^%d+')
    local is_tried = redis.call('HEXISTS', of('rows', id), number) == 1
      or (ARGV[5] ~= '' and redis.call('HEXISTS', of('sizes', id), number) == 1)
    if is_tried then
      redis.call('XACK', queue, 'makers', entry[1])
    else
      table.insert(taken, number)
      table.insert(taken, redis.call('HGET', of('cells', id), number))
    end
  end
end
offer(redis.call('XAUTOCLAIM', queue, 'makers', instance, ARGV[3], '0-0', 'COUNT', most)[2])
-- Rows that were tried in an earlier round are passed over, but not too many at once.
for _ = 1, 8 do
  if room() <= 0 then
    break
  end
  local read = redis.call('XREADGROUP', 'GROUP', 'makers', instance, 'COUNT', room(), 'STREAMS', queue, '>')
  if not read then
    return taken
  end
  offer(read[1][2])
end
taken[1] = '0'
return taken
