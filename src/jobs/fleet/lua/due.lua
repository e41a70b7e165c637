-- Claims events that are due for an instance, the longest due first. ARGV: most events, seconds of the claim, most events of a
-- key, most events that are looked at. Returns for each its number, its key, body, attempts, URL and secret.
local now, due, of_key = now_seconds(), {}, {}
for _, event in ipairs(redis.call('ZRANGEBYSCORE', start .. 'due', '-inf', now, 'LIMIT', 0, ARGV[4])) do
  if #due >= tonumber(ARGV[1]) then
    break
  end
  local told = redis.call('HMGET', of('event', event), 'body', 'attempts', 'job')
  local job = told[3] and redis.call('HMGET', of('job', told[3]), 'key_id', 'notify', 'secret')
  if not job or not job[2] then
    redis.call('ZREM', start .. 'due', event)
  elseif (of_key[job[1]] or 0) < tonumber(ARGV[3]) then
    of_key[job[1]] = (of_key[job[1]] or 0) + 1
    redis.call('ZADD', start .. 'due', now + ARGV[2], event)
    table.insert(due, {event, job[1], told[1], told[2], job[2], job[3] or ''})
  end
end
return due
