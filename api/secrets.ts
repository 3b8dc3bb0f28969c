import { createHmac } from 'node:crypto'

/** A secret of its own for each use, from the installation's one: what one use leaks opens nothing else. */
export const secretFor = (
  secret: string,
  use: 'media' | 'sandbox webhooks' | 'payment pages' | 'join codes' | 'sealed columns' | 'known devices',
) => createHmac('sha256', secret).update(use).digest('base64url')
