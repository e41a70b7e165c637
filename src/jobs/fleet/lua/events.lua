-- The events of a job in order, each as its number and its hash. ARGV: job.
local events = {}
for _, event in ipairs(redis.call('LRANGE', of('events', ARGV[1]), 0, -1)) do
  table.insert(events, {event, redis.call('HGETALL', of('event', event))})
end
return events
