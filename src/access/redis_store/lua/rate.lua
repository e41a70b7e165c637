-- Counts a request if fewer than the limit were accepted in the window before it.
-- KEYS[1]: times of accepted requests in microseconds, oldest first. ARGV: limit, window in microseconds.
-- Returns {1 if counted, further requests accepted now, microseconds until the window has room for one, the time at
-- which the oldest leaves the window in Unix seconds}.
local limit, window = tonumber(ARGV[1]), tonumber(ARGV[2])
local now = now_micros()
-- Times ascend even if the clock is set back.
now = math.max(now, tonumber(redis.call('LINDEX', KEYS[1], -1) or '0'))
local oldest = tonumber(redis.call('LINDEX', KEYS[1], 0) or '')
while oldest and oldest + window <= now do
  redis.call('LPOP', KEYS[1])
  oldest = tonumber(redis.call('LINDEX', KEYS[1], 0) or '')
end
local count = redis.call('LLEN', KEYS[1])
local counted = 0
if count < limit then
  redis.call('RPUSH', KEYS[1], whole(now))
  redis.call('PEXPIRE', KEYS[1], whole(window / 1000 + 1000))
  counted, count = 1, count + 1
end
local leaves = (oldest or now) + window
-- More than one request has to leave a window whose limit was lowered.
local free = count > limit and tonumber(redis.call('LINDEX', KEYS[1], count - limit)) + window or leaves
return {counted, math.max(limit - count, 0), free - now, math.ceil(leaves / 1000000)}
