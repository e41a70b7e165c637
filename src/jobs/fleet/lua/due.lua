-- Claims events that are due for an instance, the longest due first. ARGV: most events, seconds of the claim.
-- Returns for each its number, its key, body, attempts, URL and secret.
local now, due = now_seconds(), {}
for _, event in ipairs(redis.call('ZRANGEBYSCORE', start .. 'due', '-inf', now, 'LIMIT', 0, ARGV[1])) do
  local told = redis.call('HMGET', of('event', event), 'body', 'attempts', 'job')
  local job = told[3] and redis.call('HMGET', of('job', told[3]), 'key_id', 'notify', 'secret')
  if job and job[2] then
    redis.call('ZADD', start .. 'due', now + ARGV[2], event)
    table.insert(due, {event, job[1], told[1], told[2], job[2], job[3] or ''})
  else
    redis.call('ZREM', start .. 'due', event)
  end
end
return due
