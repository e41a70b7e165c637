-- Says that an instance is at work on rows of a job, or gives them back. ARGV: job, instance, milliseconds of the silence that
-- they have then, milliseconds for which the end of the job is claimed, then numbers of rows; 0 is the end of the job.
local id, instance, queue = ARGV[1], ARGV[2], of('queue', ARGV[1])
if redis.call('EXISTS', queue) == 0 then
  return 0
end
for index = 5, #ARGV do
  local entry = ARGV[index] .. '-0'
  if ARGV[index] == '0' then
    if redis.call('GET', of('finisher', id)) == instance then
      redis.call('PEXPIRE', of('finisher', id), ARGV[4])
    end
  elseif #redis.call('XPENDING', queue, 'makers', entry, entry, 1, instance) == 1 then
    redis.call('XCLAIM', queue, 'makers', instance, 0, entry, 'IDLE', ARGV[3], 'JUSTID')
  end
end
return 1
