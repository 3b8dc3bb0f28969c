import type { RefundAccount } from '#api/payments/port.ts'
import { seal, unseal } from '#api/seal.ts'

/** A refund account as it may be kept. */
export const sealAccount = (secret: string, account: RefundAccount) => seal(secret, JSON.stringify(account))

export const openAccount = (secret: string, sealed: string) => JSON.parse(unseal(secret, sealed)) as RefundAccount
