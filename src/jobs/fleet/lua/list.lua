-- The jobs of a key, latest first, each as its number and its hash. ARGV: key.
local jobs = {}
for _, id in ipairs(redis.call('ZREVRANGE', of('key', ARGV[1]), 0, -1)) do
  table.insert(jobs, {id, redis.call('HGETALL', of('job', id))})
end
return jobs
