import * as z from 'zod/mini'

// The sandbox's own ids, as another provider would have its own.

export const sandboxPaymentId = z.uuid().brand<'SandboxPaymentId'>()
export type SandboxPaymentId = z.output<typeof sandboxPaymentId>
export const sandboxDepositId = z.uuid().brand<'SandboxDepositId'>()
export type SandboxDepositId = z.output<typeof sandboxDepositId>
export const sandboxCardId = z.uuid().brand<'SandboxCardId'>()
export type SandboxCardId = z.output<typeof sandboxCardId>
