-- Reads what a key used of this month. KEYS[1]: start of the key's names.
-- Returns {requests charged or reserved, month}.
local now = now_micros()
local month = whole(month_of(now / 1000000))
local charged = tonumber(redis.call('GET', KEYS[1] .. 'used:' .. month) or '0')
local in_progress = redis.call('ZCOUNT', KEYS[1] .. 'held:' .. month, '(' .. whole(now), '+inf')
return {charged + in_progress, tonumber(month)}
