-- Adds rows to a job that is being created. ARGV: job, then for each row its number and cells. The rows of a job that is
-- never created expire. An entry that exists was added by another instance that creates the same job.
local id = ARGV[1]
if redis.call('EXISTS', of('job', id)) == 1 then
  return 0
end
for index = 2, #ARGV, 2 do
  redis.call('HSET', of('cells', id), ARGV[index], ARGV[index + 1])
  redis.pcall('XADD', of('queue', id), ARGV[index] .. '-0', 'row', '')
end
redis.call('EXPIRE', of('cells', id), 3600)
redis.call('EXPIRE', of('queue', id), 3600)
return 1
