-- The plan is made for the words that are asked for: in one that serves any, the words are read anew for every row, and a common
-- beginning of a word cannot be told from a rare one, which takes twice as long.
ALTER FUNCTION matching_products(uuid, text, integer) SET plan_cache_mode = force_custom_plan;
