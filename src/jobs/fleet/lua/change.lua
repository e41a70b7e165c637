-- Changes the state of a job, with the event of it. ARGV: job, state that it has, state that it gets, reason or empty, rows
-- made and failed as they are told in the event, 1 if the job ends, the type of the event or empty, its number, its body.
-- Returns 1 if it was changed, 0 if it has another state, -1 if rows were marked meanwhile.
local id, now = ARGV[1], now_seconds()
local job = of('job', id)
local held = redis.call('HMGET', job, 'state', 'made', 'failed', 'created_at')
if held[1] ~= ARGV[2] then
  return 0
end
if ARGV[8] ~= '' and ((held[2] or '0') ~= ARGV[5] or (held[3] or '0') ~= ARGV[6]) then
  return -1
end
redis.call('HSET', job, 'state', ARGV[3])
redis.call('HDEL', job, 'reason')
if ARGV[4] ~= '' then
  redis.call('HSET', job, 'reason', ARGV[4])
end
if ARGV[3] == '"running"' then
  redis.call('ZADD', start .. 'running', held[4], id)
else
  redis.call('ZREM', start .. 'running', id)
end
if ARGV[7] == '1' then
  redis.call('HSET', job, 'ended_at', now)
  redis.call('ZADD', start .. 'ended', now, id)
  redis.call('UNLINK', of('queue', id), of('sizes', id), of('finisher', id))
end
if ARGV[8] ~= '' then
  redis.call('HSET', of('event', ARGV[9]), 'job', id, 'type', ARGV[8], 'created_at', now, 'body', ARGV[10], 'attempts', 0,
    'due_at', now)
  redis.call('RPUSH', of('events', id), ARGV[9])
  redis.call('ZADD', start .. 'due', now, ARGV[9])
end
return 1
