import type pg from 'pg'
import type { CustomerId } from '#contract/ids.ts'

type Client = Pick<pg.Client, 'query'>

/** Rows of a statement. */
const batch = 10_000

const names = [
  ...['Mina Park', 'Sora Lee', 'Jo Kim', 'Hana Choi', 'Dan Rivers', 'Ada Stone', '김민아', '박서준', '이소라'],
  ...['최하나', 'Noor Haddad', 'Kenji Mori', 'Eva Lind', 'Luis Prado', 'Ines Duval', '정우진'],
]

const remarks = [
  ...[
    'I watched it twice.',
    'The sound is very good.',
    'Which camera was used?',
    '정말 잘 봤어요.',
    '자막이 있어서 좋아요.',
  ],
  ...['The second lesson helped me most.', 'Is there a sequel?'],
]

const inBatches = async (count: number, insert: (from: number, to: number) => Promise<unknown>) => {
  for (let from = 1; from <= count; from += batch) await insert(from, Math.min(from + batch - 1, count))
}

/** Adds members who joined during the last 900 days. Nobody knows their passwords. */
export const seedMembers = (client: Client, customerId: CustomerId, count: number): Promise<void> => {
  const run = Date.now().toString(36)
  return inBatches(count, (from, to) =>
    client.query(
      `INSERT INTO members (customer_id, id, email, email_lower, password_hash, name, created_at)
       SELECT $1, gen_random_uuid(), e.email, e.email, 'none', ($2::text[])[1 + n % cardinality($2::text[])],
              now() - random() * interval '900 days'
         FROM generate_series($3::int, $4::int) n, LATERAL (SELECT 'm' || n || '-' || $5 || '@bench.example.com' AS email) e`,
      [customerId, names, from, to, run],
    ),
  )
}

/**
 * Adds comments of members of the store below its products. Of a hundred, one is held and reported,
 * and two are hidden; the products count the others.
 */
export const seedComments = async (client: Client, customerId: CustomerId, count: number): Promise<void> => {
  await inBatches(count, (from, to) =>
    client.query(
      `WITH writers AS MATERIALIZED (
         SELECT row_number() OVER () - 1 AS at, id FROM members WHERE customer_id = $1 AND withdrawn_at IS NULL
       ), titles AS MATERIALIZED (
         SELECT row_number() OVER () - 1 AS at, id FROM products WHERE customer_id = $1 LIMIT 5000
       )
       INSERT INTO comments (customer_id, id, product_id, member_id, body, state, created_at)
       SELECT $1, gen_random_uuid(), t.id, w.id, ($2::text[])[1 + n % cardinality($2::text[])] || ' #' || n,
              CASE WHEN n % 100 < 1 THEN 'HELD' WHEN n % 100 < 3 THEN 'HIDDEN' ELSE 'SHOWN' END, d.at
         FROM generate_series($3::bigint, $4::bigint) n
        CROSS JOIN LATERAL (SELECT now() - random() * interval '900 days' AS at, n AS of) d
         JOIN writers w ON w.at = (n * 7919) % (SELECT count(*) FROM writers)
         JOIN titles t ON t.at = (n * 104729) % (SELECT count(*) FROM titles)`,
      [customerId, remarks, from, to],
    ),
  )
  await client.query(
    `INSERT INTO comment_reports (customer_id, comment_id, member_id, reason)
     SELECT $1, c.id, c.member_id, 'SPAM' FROM comments c WHERE c.customer_id = $1 AND c.body LIKE '%00' ON CONFLICT DO NOTHING`,
    [customerId],
  )
  if (count > 0)
    await client.query(
      `UPDATE products p SET count_of_comments = c.count
         FROM (SELECT product_id, count(*) FROM comments WHERE customer_id = $1 AND state = 'SHOWN' GROUP BY product_id) c
        WHERE p.customer_id = $1 AND p.id = c.product_id`,
      [customerId],
    )
}

/** Order codes: five bits of a number to a character. */
const codeCharacters = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const codeOf = (number: string) =>
  Array.from({ length: 6 }, (_, at) => `substr('${codeCharacters}', ((${number} >> ${at * 5}) & 31)::int + 1, 1)`).join(
    ' || ',
  )

/**
 * Adds orders of members of the store for products with a price, each with one item and its
 * payment. Of a hundred, five are refunded and three failed.
 */
export const seedOrders = async (client: Client, customerId: CustomerId, count: number): Promise<void> => {
  const start = Math.floor(Math.random() * 2 ** 29)
  await client.query(
    `CREATE TEMP TABLE seed_members ON COMMIT DROP AS
       SELECT row_number() OVER () - 1 AS at, id FROM members WHERE customer_id = $1 AND withdrawn_at IS NULL`,
    [customerId],
  )
  await client.query(
    `CREATE TEMP TABLE seed_options ON COMMIT DROP AS
       SELECT row_number() OVER () - 1 AS at, o.id, o.product_id, o.name, o.type, o.price_amount, o.currency, p.title
         FROM product_options o JOIN products p ON p.customer_id = $1 AND p.id = o.product_id
        WHERE o.customer_id = $1 LIMIT 5000`,
    [customerId],
  )
  await inBatches(count, (from, to) =>
    client.query(
      `WITH drawn AS MATERIALIZED (
         SELECT n, gen_random_uuid() AS id, d.at, m.id AS member_id, o.id AS option_id, o.product_id, o.title, o.name, o.type,
                o.price_amount, o.currency,
                CASE WHEN n % 100 < 5 THEN 'CANCEL_COMPLETE' WHEN n % 100 < 8 THEN 'PAYMENT_FAIL' ELSE 'PAYMENT_COMPLETE' END AS status
           FROM generate_series($2::bigint, $3::bigint) n
           CROSS JOIN LATERAL (SELECT now() - random() * interval '900 days' AS at, n AS of) d
           JOIN seed_members m ON m.at = (n * 7919) % (SELECT count(*) FROM seed_members)
           JOIN seed_options o ON o.at = (n * 104729) % (SELECT count(*) FROM seed_options)
       ), placed AS (
         INSERT INTO orders (customer_id, id, code, member_id, status, method, total_amount, refunded_amount, currency,
                             refund_policy_version, created_at, paid_at)
         SELECT $1, id, to_char(at, 'YYYYMMDD') || '-' || ${codeOf('(n + $4::bigint)')}, member_id, status, 'CARD', price_amount,
                CASE status WHEN 'CANCEL_COMPLETE' THEN price_amount ELSE 0 END, currency, 'bench', at,
                CASE WHEN status <> 'PAYMENT_FAIL' THEN at END
           FROM drawn
       ), itemized AS (
         INSERT INTO order_items (customer_id, id, order_id, product_id, option_id, product_title, option_name, option_type,
                                  price_amount, currency, refunded_at)
         SELECT $1, gen_random_uuid(), id, product_id, option_id, title, name, type, price_amount, currency,
                CASE status WHEN 'CANCEL_COMPLETE' THEN at END
           FROM drawn
       )
       INSERT INTO payments (customer_id, id, order_id, provider, method, status, amount, currency, refunded_amount, created_at, settled_at)
       SELECT $1, gen_random_uuid(), id, 'sandbox', 'CARD', CASE status WHEN 'PAYMENT_FAIL' THEN 'FAILED' ELSE 'PAID' END,
              price_amount, currency, CASE status WHEN 'CANCEL_COMPLETE' THEN price_amount ELSE 0 END, at, at
         FROM drawn`,
      [customerId, from, to, start],
    ),
  )
}
