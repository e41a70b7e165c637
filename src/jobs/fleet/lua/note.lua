-- Notes what became of an attempt to send an event. ARGV: event, attempts, seconds until the next one or empty, 1 if it was
-- delivered, the problem or empty.
local event, now = of('event', ARGV[1]), now_seconds()
if redis.call('EXISTS', event) == 0 then
  return 0
end
redis.call('HSET', event, 'attempts', ARGV[2])
redis.call('HDEL', event, 'due_at', 'problem')
redis.call('ZREM', start .. 'due', ARGV[1])
if ARGV[3] ~= '' then
  redis.call('HSET', event, 'due_at', whole(now + ARGV[3]))
  redis.call('ZADD', start .. 'due', now + ARGV[3], ARGV[1])
end
if ARGV[4] == '1' then
  redis.call('HSET', event, 'delivered_at', now)
end
if ARGV[5] ~= '' then
  redis.call('HSET', event, 'problem', ARGV[5])
end
return 1
