-- Ends a round of the search for one size: the next one reads all rows again. ARGV: job, limit of the round, limit
-- of the next or `final`, size that was found. Returns 1 if the round was that one.
local id = ARGV[1]
if (redis.call('HGET', of('job', id), 'limit') or 'none') ~= ARGV[2] then
  return 0
end
redis.call('HSET', of('job', id), 'limit', ARGV[3], 'size', ARGV[4])
redis.call('UNLINK', of('sizes', id))
redis.call('XGROUP', 'SETID', of('queue', id), 'makers', '0')
return 1
