import type { Ctx } from '#api/context.ts'
import { type LaunchFacts, readLaunchFacts } from '#api/db/queries/launch.ts'
import type { SiteSettings } from '#contract/tenancy.ts'
import { isDraft } from './starter-pages.ts'

export interface LaunchItem {
  /** MISSING: it cannot sell, or may not, without. ADVISED: it sells, less well. */
  state: 'MISSING' | 'ADVISED'
  what: string
  /** A command without its beginning, or what to do. */
  fix: string
}

/** What the installation has for all its stores. */
export interface InstallationFacts {
  sendsMail: boolean
  production: boolean
}

const missing = (what: string, fix: string): LaunchItem => ({ state: 'MISSING', what, fix })
const advised = (what: string, fix: string): LaunchItem => ({ state: 'ADVISED', what, fix })
const set = (code: string, name: string, example: string) => `settings set -c ${code} ${name} ${example}`

const legal: [keyof SiteSettings['business'], string, string][] = [
  ['company', 'The name of the company', '"Acme Films Ltd."'],
  ['representative', 'The name of its representative', '"Kim Dana"'],
  ['registrationNumber', 'The number of its registration', '123-45-67890'],
  ['address', 'Its postal address', '"1 Example Street, Seoul"'],
  ['phone', 'Its telephone number', '02-123-4567'],
  ['email', 'The e-mail address for members', 'help@example.com'],
]

const legalItems = ({ code, settings: { business, base } }: Ctx['customer']): LaunchItem[] => [
  ...legal
    .filter(([field]) => !business[field])
    .map(([field, what, example]) => missing(`${what} is empty.`, set(code, `business.${field}`, example))),
  // Korean law asks it of everybody who sells at a distance.
  ...(!business.mailOrderNumber && (base.locale === 'ko' || base.currency === 'KRW')
    ? [
        missing(
          'The number of the mail-order registration is empty.',
          set(code, 'business.mailOrderNumber', '2026-Seoul-0001'),
        ),
      ]
    : []),
]

const pageItems = (code: string, { pages }: LaunchFacts): LaunchItem[] =>
  ['terms', 'privacy', 'refund', 'about'].flatMap((type) => {
    const page = pages.find((one) => one.type === type)
    const note = type === 'about' ? advised : missing
    const fix = `catalog export -c ${code} --tables pages <folder>, write it in pages.csv, catalog import -c ${code} <folder>`
    if (!page) return [note(`The page ${type} is not there.`, fix)]
    return isDraft(page.body) ? [note(`The page ${type} is still a draft.`, fix)] : []
  })

/** `1 product on sale …: F100.` The first few are named; nothing is said of none. */
const about = (codes: readonly string[], note: typeof missing, what: string, fix: string): LaunchItem[] => {
  const first = codes.slice(0, 5).join(', ')
  const number = codes.length === 1 ? 'One product' : `${codes.length} products`
  return codes.length > 0 ? [note(`${number} on sale ${what}: ${first}${codes.length > 5 ? ', …' : ''}.`, fix)] : []
}

const videoItems = (code: string, facts: LaunchFacts): LaunchItem[] => {
  const add = `video add -c ${code} --product <code>`
  return [
    ...about(facts.withoutVideo, missing, 'of the kind VOD: no video', `${add} <file>`),
    ...about(facts.withoutLessons, missing, 'with lessons, none of which has a video', `${add} <file of lesson 1> …`),
    ...about(facts.empty, missing, 'with neither a video nor a file', `${add} <file>`),
    ...about(facts.failedVideos, missing, 'whose video could not be made into a stream', `video list -c ${code}`),
    ...about(
      facts.waitingLessons,
      advised,
      'with lessons that nobody sees, for want of a video',
      `${add} --lesson <number> <file>`,
    ),
  ]
}

const productItems = (code: string, { order }: SiteSettings, facts: LaunchFacts): LaunchItem[] => {
  const files = `catalog import -c ${code} <folder>`
  const count = (many: number, words: string) => (many === 1 ? `One product ${words}` : `${many} products ${words}`)
  return [
    ...(facts.onSale === 0 ? [missing('No product is on sale.', files)] : []),
    ...(facts.withoutPrice > 0 && order.usePayment
      ? [missing(`${count(facts.withoutPrice, 'for sale: no price')}.`, `${files}, with options.csv`)]
      : []),
    ...videoItems(code, facts),
    ...(facts.withoutPoster > 0 ? [advised(`${count(facts.withoutPoster, 'without a poster')}.`, files)] : []),
    ...(order.useSubscribe && facts.plansOnSale === 0
      ? [missing('Plans are offered and none is on sale.', `${files}, with plans.csv`)]
      : []),
    ...(!order.useSubscribe && facts.plansOnSale > 0
      ? [advised('Plans are on sale and not offered.', set(code, 'order.useSubscribe', 'true'))]
      : []),
  ]
}

const paymentItems = ({ code, settings, paymentAccounts }: Ctx['customer'], production: boolean): LaunchItem[] => {
  if (!settings.order.usePayment && !settings.order.useSubscribe) return []
  const active = paymentAccounts.find((account) => account.active)
  const choose = `payment-provider -c ${code} stripe --secret secretKey=… --secret webhookSecret=…`
  if (!active)
    return [
      production
        ? missing('Nobody takes its payments.', choose)
        : missing('Nobody takes its payments in production; here the sandbox does.', choose),
    ]
  return active.provider === 'sandbox' ? [missing('The sandbox takes its payments: no money moves.', choose)] : []
}

const brandItems = ({ code, settings: { base, seo } }: Ctx['customer']): LaunchItem[] => [
  ...(base.logoPublicUrl ? [] : [advised('It has no logo.', set(code, 'base.logoPublicUrl', 'logo.svg'))]),
  ...(base.faviconPublicUrl ? [] : [advised('It has no favicon.', set(code, 'base.faviconPublicUrl', 'favicon.svg'))]),
  ...(seo.ogImagePublicUrl
    ? []
    : [advised('It has no picture for links to it.', set(code, 'seo.ogImagePublicUrl', 'share.jpg'))]),
  ...(seo.description
    ? []
    : [advised('It has no description for search engines.', set(code, 'seo.description', '"Films for evenings"'))]),
]

/** What a store still lacks before it may open to the public, what matters first. Empty: nothing is left. */
export const launchChecklist = async (
  { db, customer }: Pick<Ctx, 'db' | 'customer'>,
  installation: InstallationFacts,
): Promise<LaunchItem[]> => {
  const facts = await readLaunchFacts(db, customer.id)
  const { code, settings, useCustomer, useSite, opened } = customer
  const items = [
    ...(facts.hosts === 0 ? [missing('No host leads to it.', `customer domains ${code} --add films.example.com`)] : []),
    ...(useCustomer && useSite && opened ? [] : [missing('It is closed to visitors.', `customer open ${code}`)]),
    ...paymentItems(customer, installation.production),
    ...(installation.sendsMail
      ? []
      : [
          missing(
            'No mail server is set, so nobody can join or reset a password.',
            'set SMTP_URL and MAIL_FROM in the environment',
          ),
        ]),
    ...legalItems(customer),
    ...pageItems(code, facts),
    ...productItems(code, settings, facts),
    ...brandItems(customer),
  ]
  return [...items.filter(({ state }) => state === 'MISSING'), ...items.filter(({ state }) => state === 'ADVISED')]
}
