import type { Deps } from '#api/deps.ts'

/** Where mails can be read here; null outside of the demo. */
export const mailboxPath = ({ mailbox }: Pick<Deps, 'mailbox'>) => (mailbox ? '/mailbox' : null)
