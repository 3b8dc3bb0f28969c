import * as z from 'zod/mini'
import { requiredText } from '../text.ts'
import { auditEntry } from './audit.ts'

/**
 * WAITING: the DNS shows neither of the records. POINTING: the domain leads here, and the TXT
 * record is missing. IN_USE: another store has the domain. VERIFIED: the store is shown there.
 */
const domainState = z.enum(['WAITING', 'POINTING', 'IN_USE', 'VERIFIED'])
export type DomainState = z.output<typeof domainState>

/** A record that the domain's DNS is still to have. */
const domainRecord = z.object({ type: z.enum(['TXT', 'CNAME']), name: z.string(), value: z.string() })

const domain = z.object({
  /** In the form of the DNS: lower case, Punycode. */
  host: z.string(),
  /** Where the store is shown. */
  origin: z.string(),
  state: domainState,
  /** What proved that the domain is the store’s; null until then. */
  verifiedBy: z.nullable(z.enum(['TXT', 'ADMINISTRATOR'])),
  /** Whether the domain leads to this installation. Null if that is not known. */
  pointsHere: z.nullable(z.boolean()),
  /** The address that canonical links and emails have. */
  isMain: z.boolean(),
  checkedAt: z.nullable(z.iso.datetime()),
  /** False if the DNS did not answer the last check. The state is from before. */
  answered: z.boolean(),
  records: z.array(domainRecord),
})
export type DomainView = z.output<typeof domain>

export const domainList = z.object({
  /** The main one first, the others in alphabetical order. */
  items: z.array(domain),
  /** Changes of operators, latest first. */
  history: z.array(auditEntry),
})

/**
 * A host in any notation, or an address at it, of which the host is taken. It is kept in the form
 * of the DNS: lower case, Punycode.
 */
export const enteredHost = requiredText(2000)
export const newDomain = z.object({ host: enteredHost })
export const domainPath = z.object({ host: requiredText(253) })
