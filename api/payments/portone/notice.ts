import { customerBase } from '#contract/index.ts'
import type { Merchant } from '../port.ts'

/** Where PortOne's messages go. It takes no address that is not reached by https: those of its console hold then. */
export const noticeUrls = ({ origin, code }: Merchant) =>
  origin.startsWith('https:') ? { noticeUrls: [`${origin}${customerBase(code)}/webhooks/portone`] } : {}
