-- Reads the keys if they changed since the known generation.
-- KEYS: generation, records, revoked. ARGV: the known generation.
-- Returns {generation, 1 if changed, records, revoked}.
local generation = redis.call('GET', KEYS[1]) or '0'
if generation == ARGV[1] then
  return {generation, 0, {}, {}}
end
return {generation, 1, redis.call('HVALS', KEYS[2]), redis.call('SMEMBERS', KEYS[3])}
