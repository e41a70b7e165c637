-- Creates a job whose rows were added. ARGV: job, key, state, definition, rows, number of the last row, URL of events
-- or empty, secret of events.
local id, now = ARGV[1], now_seconds()
if redis.call('EXISTS', of('job', id)) == 1 then
  return 0
end
redis.call('HSET', of('job', id), 'key_id', ARGV[2], 'created_at', now, 'state', ARGV[3], 'definition', ARGV[4], 'rows',
  ARGV[5], 'last', ARGV[6])
if ARGV[7] ~= '' then
  redis.call('HSET', of('job', id), 'notify', ARGV[7], 'secret', ARGV[8])
end
redis.call('PERSIST', of('cells', id))
redis.call('PERSIST', of('queue', id))
redis.call('XGROUP', 'CREATE', of('queue', id), 'makers', '0')
redis.call('ZADD', start .. 'all', now, id)
redis.call('ZADD', start .. 'running', now, id)
redis.call('ZADD', of('key', ARGV[2]), now, id)
return 1
