-- Ends a request with an idempotency key that was not done. KEYS[1]: the name. ARGV: what was kept in progress.
-- Returns 1 if it was still in progress.
if redis.call('GET', KEYS[1]) == ARGV[1] then
  return redis.call('DEL', KEYS[1])
end
return 0
