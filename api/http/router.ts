import { accountCalls } from './calls/accounts.ts'
import { cardCalls } from './calls/cards.ts'
import { catalogCalls } from './calls/catalog.ts'
import { commerceCalls } from './calls/commerce.ts'
import { contentCalls } from './calls/content.ts'
import { engagementCalls } from './calls/engagement.ts'
import { figuresCalls } from './calls/figures.ts'
import { inquiryCalls } from './calls/inquiries.ts'
import { joiningCalls } from './calls/joining.ts'
import { operatorCalls } from './calls/operators.ts'
import { planCalls } from './calls/plans.ts'
import { confirmAttachment, playbackCalls } from './calls/playback.ts'
import { tenancyCalls } from './calls/tenancy.ts'
import { videoCalls } from './calls/videos.ts'
import { os } from './implementer.ts'

/** Contract call → handler. The compiler refuses a contract with a call that nobody answers. */
export const router = os.router({
  tenancy: tenancyCalls,
  accounts: accountCalls,
  catalog: { ...catalogCalls, confirmAttachment },
  engagement: engagementCalls,
  content: contentCalls,
  commerce: commerceCalls,
  playback: playbackCalls,
  joining: joiningCalls,
  plans: planCalls,
  cards: cardCalls,
  inquiries: inquiryCalls,
  operators: operatorCalls,
  videos: videoCalls,
  figures: figuresCalls,
})
