-- Deletes a job that has ended. ARGV: job. Returns its key; an empty text if there is no such job.
local id = ARGV[1]
local held = redis.call('HMGET', of('job', id), 'key_id', 'ended_at', 'bytes')
if not held[2] then
  return ''
end
for _, event in ipairs(redis.call('LRANGE', of('events', id), 0, -1)) do
  redis.call('UNLINK', of('event', event))
  redis.call('ZREM', start .. 'due', event)
end
for _, part in ipairs({'job', 'queue', 'cells', 'rows', 'sizes', 'names', 'failed', 'warned', 'events', 'finisher'}) do
  redis.call('UNLINK', of(part, id))
end
redis.call('ZREM', start .. 'all', id)
redis.call('ZREM', start .. 'ended', id)
redis.call('ZREM', of('key', held[1]), id)
redis.call('DECRBY', start .. 'bytes', held[3] or '0')
return held[1]
