-- Charges reserved requests of one key and month. A charge that is sent again does not count again.
-- KEYS[1]: start of the key's names. ARGV: month, then for each request its identifier, its idempotency key, what is
-- kept of its answer, and for how many milliseconds; the key is empty if it has none.
-- Returns the number of new charges.
local now = now_micros()
local held, used, known = KEYS[1] .. 'held:' .. ARGV[1], KEYS[1] .. 'used:' .. ARGV[1], KEYS[1] .. 'charged'
local fresh = 0
for index = 2, #ARGV, 4 do
  local is_known = redis.call('ZSCORE', known, ARGV[index])
  local job, row = string.match(ARGV[index + 1], '^row/(.+)/(%d+)$')
  if job then
    -- A row that one instance took over from another is charged once, whichever tells first.
    is_known = redis.call('SETBIT', KEYS[1] .. 'rows/' .. job, row, 1) == 1 or is_known
    redis.call('PEXPIRE', KEYS[1] .. 'rows/' .. job, ARGV[index + 3])
  end
  if not is_known then
    redis.call('ZADD', known, whole(now), ARGV[index])
    fresh = fresh + 1
  end
  redis.call('ZREM', held, ARGV[index])
  if ARGV[index + 1] ~= '' and not job then
    redis.call('SET', KEYS[1] .. 'idempotent/' .. ARGV[index + 1], ARGV[index + 2], 'PX', ARGV[index + 3])
  end
end
if fresh > 0 then
  redis.call('INCRBY', used, fresh)
  redis.call('EXPIRE', used, 400 * 86400)
end
-- After the lookups. An instance that dies before it has noted a charge sends it again when it is started: within two days.
redis.call('ZREMRANGEBYSCORE', known, '-inf', whole(now - 48 * 3600 * 1000000))
redis.call('EXPIRE', known, 49 * 3600)
return fresh
