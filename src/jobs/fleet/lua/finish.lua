-- Claims the end of a job for an instance. ARGV: job, instance, milliseconds. Returns 1 if it has it.
local name = of('finisher', ARGV[1])
local holder = redis.call('GET', name)
if holder and holder ~= ARGV[2] then
  return 0
end
redis.call('SET', name, ARGV[2], 'PX', ARGV[3])
return 1
