-- Prepended to every script. Only the server's clock counts, so the clocks of instances may differ.

-- Microseconds since 1970.
local function now_micros()
  local time = redis.call('TIME')
  return tonumber(time[1]) * 1000000 + tonumber(time[2])
end

-- The UTC calendar month of a time in Unix seconds, as a number: 202611 for November 2026. Algorithm:
-- H. Hinnant, "chrono-compatible low-level date algorithms", civil_from_days.
local function month_of(seconds)
  local days = math.floor(seconds / 86400) + 719468
  local era = math.floor(days / 146097)
  local day_of_era = days - era * 146097
  local year_of_era = math.floor(
    (day_of_era - math.floor(day_of_era / 1460) + math.floor(day_of_era / 36524) - math.floor(day_of_era / 146096)) / 365)
  local day_of_year = day_of_era - (365 * year_of_era + math.floor(year_of_era / 4) - math.floor(year_of_era / 100))
  local shifted = math.floor((5 * day_of_year + 2) / 153)
  local month = shifted < 10 and shifted + 3 or shifted - 9
  local year = year_of_era + era * 400 + (month <= 2 and 1 or 0)
  return year * 100 + month
end

-- A whole number as text, without an exponent.
local function whole(number)
  return string.format('%.0f', number)
end
