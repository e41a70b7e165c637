-- Marks rows of a job as tried, counts them, and acknowledges their entries. ARGV: job, then for each row its number, the limit
-- of the round in which it was laid out or empty if it was tried, what is kept of it, the name of its file or empty, 1 if it was made,
-- 1 if it has warnings, pages, bytes, types of its error and warnings separated by spaces.
local id = ARGV[1]
local job = of('job', id)
if redis.call('EXISTS', job) == 0 then
  return 0
end
for index = 2, #ARGV, 9 do
  local number, limit, kept, name = ARGV[index], ARGV[index + 1], ARGV[index + 2], ARGV[index + 3]
  local is_made, is_warned, pages, bytes = ARGV[index + 4], ARGV[index + 5], ARGV[index + 6], ARGV[index + 7]
  if limit ~= '' then
    -- A row of an earlier round, of an instance that was slow, says nothing about this one.
    if (redis.call('HGET', job, 'limit') or 'none') == limit and redis.call('HEXISTS', of('rows', id), number) == 0 then
      redis.call('HSET', of('sizes', id), number, kept)
    end
  elseif redis.call('HSETNX', of('rows', id), number, kept) == 1 then
    if name ~= '' then
      redis.call('HSET', of('names', id), name, number)
    end
    redis.call('HINCRBY', job, is_made == '1' and 'made' or 'failed', 1)
    redis.call('HINCRBY', job, 'pages', pages)
    redis.call('HINCRBY', job, 'bytes', bytes)
    redis.call('INCRBY', start .. 'bytes', bytes)
    if is_made ~= '1' then
      redis.call('ZADD', of('failed', id), number, number)
    end
    if is_warned == '1' then
      redis.call('HINCRBY', job, 'warned', 1)
      redis.call('ZADD', of('warned', id), number, number)
    end
    for kind in string.gmatch(ARGV[index + 8], '%S+') do
      redis.call('HINCRBY', job, 'kind:' .. kind, 1)
    end
  end
  redis.call('XACK', of('queue', id), 'makers', number .. '-0')
end
return 1
