import { hourSeconds, type LimitKinds, minuteSeconds } from '#api/platform/limits/rate-limits.ts'

/** Returns the limits of signing in and of joining, by account and by network. */
export const createIdentityLimits = ({ inProcess, shared }: LimitKinds) => ({
  /** Wrong passwords from unknown devices. `sign-in.ts` combines these limits. */
  loginFrom: shared('login from', 10, 15 * minuteSeconds, { after: 5, seconds: 5 }),
  loginByAccount: shared('login', 20, 15 * minuteSeconds),
  loginByNetwork: shared('accounts from', 50, 15 * minuteSeconds),
  /** Wrong passwords from a known device. Beyond the limit it counts as unknown. */
  loginByDevice: shared('login on', 20, hourSeconds),
  /** Password confirmations of one session. */
  passwords: shared('password', 10, 15 * minuteSeconds),
  /**
   * Unsolicited mails: joins, resets and sign-in links. Repeated mails to one person count once for
   * a while.
   */
  mailsByAddress: shared('mails from', 60, hourSeconds),
  mailsToOne: shared('mail from', 1, 10 * minuteSeconds),
  signInLinks: shared('sign-in link', 1, 10 * minuteSeconds),
  joinsFrom: shared('join from', 5, hourSeconds),
  joinsByEmail: shared('join', 30, hourSeconds),
  resendsByJoin: shared('resend', 5, hourSeconds),
  /** Searches for postal addresses. */
  addresses: inProcess(120, minuteSeconds),
})
export type IdentityLimits = ReturnType<typeof createIdentityLimits>
