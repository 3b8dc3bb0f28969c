import { figuresCalls } from '#api/modules/analytics/analytics.routes.ts'
import { cardCalls } from '#api/modules/billing/billing.routes.ts'
import { commerceCalls } from '#api/modules/checkout/checkout.routes.ts'
import { tenancyCalls } from '#api/modules/checkout/site.routes.ts'
import { contentCalls } from '#api/modules/content/content.routes.ts'
import { joiningCalls, operatorCalls } from '#api/modules/identity/identity.routes.ts'
import { videoCalls } from '#api/modules/media/media.routes.ts'
import { confirmAttachment, playbackCalls } from '#api/modules/playback/playback.routes.ts'
import { accountCalls } from '#api/modules/privacy/accounts.routes.ts'
import { catalogCalls, engagementCalls } from '#api/modules/storefront/storefront.routes.ts'
import { planCalls } from '#api/modules/subscriptions/subscriptions.routes.ts'
import { inquiryCalls } from '#api/modules/support/support.routes.ts'
import { os } from '#api/platform/http/procedures.ts'

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
