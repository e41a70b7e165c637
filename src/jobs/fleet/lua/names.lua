-- Prepended to every script of jobs. KEYS[1]: the start of all names; ARGV[1]: mostly the number of the job.

local start = KEYS[1]

-- The name of a part of a job: its hash (job), the stream of its rows (queue), and hashes by the row's number: cells, outcomes
-- (rows), sizes of the round (sizes); numbers by names of files (names); sets of numbers (failed, warned); a list of events.
local function of(part, id)
  return start .. part .. '/' .. id
end

-- Now, in Unix seconds.
local function now_seconds()
  return whole(math.floor(now_micros() / 1000000))
end
