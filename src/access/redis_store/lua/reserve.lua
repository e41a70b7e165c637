-- Reserves a request in a key's quota of this month.
-- KEYS[1]: start of the key's names. ARGV: identifier, quota, lease in microseconds.
-- Returns {1 if reserved, requests charged or reserved, month, requests reserved if one of them may still be released}.
local now = now_micros()
local month = whole(month_of(now / 1000000))
local held, used = KEYS[1] .. 'held:' .. month, KEYS[1] .. 'used:' .. month
redis.call('ZREMRANGEBYSCORE', held, '-inf', whole(now))
local charged, in_progress = tonumber(redis.call('GET', used) or '0'), redis.call('ZCARD', held)
local taken = charged + in_progress
if taken >= tonumber(ARGV[2]) then
  return {0, taken, tonumber(month), charged < tonumber(ARGV[2]) and in_progress or 0}
end
redis.call('ZADD', held, whole(now + tonumber(ARGV[3])), ARGV[1])
redis.call('PEXPIRE', held, whole(tonumber(ARGV[3]) / 1000 + 1000))
return {1, taken + 1, tonumber(month), 0}
