/**
 * A member's e-mail as it is remembered after they have left, in SQL: it cannot be read, and is of no use at another tenant.
 * `member` is the row's name in the statement.
 */
export const emailHash = (member: string) =>
  `encode(sha256(convert_to(${member}.customer_id || ' ' || ${member}.email_lower, 'UTF8')), 'hex')`
