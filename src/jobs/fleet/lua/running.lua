-- The jobs that are running, oldest first, each as its number and its size.
local jobs = {}
for _, id in ipairs(redis.call('ZRANGE', start .. 'running', 0, -1)) do
  table.insert(jobs, {id, redis.call('HGET', of('job', id), 'size') or 'null'})
end
return jobs
