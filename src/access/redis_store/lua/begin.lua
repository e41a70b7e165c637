-- Begins a request with an idempotency key, if the store knows none of that name.
-- KEYS[1]: the name. ARGV: what is kept while it is in progress, lease in milliseconds.
-- Returns what the store knew; an empty text if nothing.
local known = redis.call('GET', KEYS[1])
if known then
  return known
end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return ''
