import { isUnfinished } from '#api/modules/content/content.queries.ts'
import { canSendMail } from '#api/modules/mail/send-mails.queries.ts'
import type { Ctx } from '#api/platform/context.ts'
import type { LaunchItemCode, LaunchItemView } from '#contract/admin/store.ts'
import type { CustomerCode } from '#contract/ids.ts'
import { storeStateOf } from '#contract/store-state.ts'
import type { SiteSettings } from '#contract/tenancy.ts'
import { type LaunchFacts, readLaunchFacts } from './admin.queries.ts'

export interface LaunchItem extends LaunchItemView {
  what: string
  /** What to do about it, line by line: a command to paste, or an instruction. */
  fix: readonly string[]
}

/** Facts about the installation, common to all stores. */
export interface InstallationFacts {
  sendsMail: boolean
  environment: 'production' | 'demo' | 'development'
}

/** What an item is about: its code, with names or their number. */
type About = LaunchItemCode | { code: LaunchItemCode; names?: readonly string[]; count?: number }

const itemIn =
  (state: LaunchItem['state']) =>
  (about: About, what: string, ...fix: string[]): LaunchItem => {
    const { code, names = [], count = names.length } = typeof about === 'string' ? { code: about } : about
    return { code, state, names: [...names], count, what, fix }
  }
const missing = itemIn('MISSING')
const advised = itemIn('ADVISED')
const command = (line: string) => `npm run cli -- ${line}`
const set = (code: CustomerCode, name: string, example: string) => command(`settings set -c ${code} ${name} ${example}`)

/** The lines that change one table of the catalog as a file. */
const editTable = (code: CustomerCode, table: string, instruction: string) => {
  const folder = `${code}-catalog`
  return [
    command(`catalog export -c ${code} --tables ${table} ${folder}`),
    `${instruction} in ${folder}/${table}.csv, then:`,
    command(`catalog import -c ${code} ${folder}`),
  ]
}

const legal: [keyof SiteSettings['business'], string, string][] = [
  ['company', 'The company name', '"Acme Films Ltd."'],
  ['representative', 'The name of the representative', '"Kim Dana"'],
  ['registrationNumber', 'The registration number', '123-45-67890'],
  ['address', 'The postal address', '"1 Example Street, Seoul"'],
  ['phone', 'The phone number', '02-123-4567'],
  ['email', 'The email address for members', 'help@example.com'],
]

const legalItems = ({ code, settings: { business, base } }: Ctx['customer']): LaunchItem[] => [
  ...legal
    .filter(([field]) => !business[field])
    .map(([field, what, example]) =>
      missing(
        { code: 'COMPANY_FACT_MISSING', names: [field] },
        `${what} is empty.`,
        set(code, `business.${field}`, example),
      ),
    ),
  // Korean law requires it of every distance seller.
  ...(!business.mailOrderNumber && (base.locale === 'ko' || base.currency === 'KRW')
    ? [
        missing(
          { code: 'COMPANY_FACT_MISSING', names: ['mailOrderNumber'] },
          'The mail-order registration number is missing.',
          set(code, 'business.mailOrderNumber', '2026-Seoul-0001'),
        ),
      ]
    : []),
]

const pageItems = (code: CustomerCode, { pages }: LaunchFacts): LaunchItem[] =>
  ['terms', 'privacy', 'refund', 'about'].flatMap((type) => {
    const page = pages.find((candidate) => candidate.type === type)
    const note = type === 'about' ? advised : missing
    const fix = editTable(code, 'pages', `Write the page ${type}`)
    if (!page) return [note({ code: 'PAGE_MISSING', names: [type] }, `The page ${type} is missing.`, ...fix)]
    return page.isDraft || isUnfinished(page.body)
      ? [note({ code: 'PAGE_DRAFT', names: [type] }, `The page ${type} is still a draft.`, ...fix)]
      : []
  })

/**
 * `1 product on sale …: F100.` Names the first few codes, and the first one in the fix. Returns
 * nothing for an empty list.
 */
const about = (
  code: LaunchItemCode,
  codes: readonly string[],
  what: string,
  fix: (product: string) => string,
): LaunchItem[] => {
  const [example] = codes
  if (example === undefined) return []
  const number = codes.length === 1 ? 'One product' : `${codes.length} products`
  const names = codes.slice(0, 5)
  const item = { code, names, count: codes.length }
  return [
    advised(item, `${number} on sale ${what}: ${names.join(', ')}${codes.length > 5 ? ', …' : ''}.`, fix(example)),
  ]
}

const addVideo = (code: CustomerCode, files: string) => (product: string) =>
  command(`video add -c ${code} --product ${product} ${files}`)

const videoItems = (code: CustomerCode, facts: LaunchFacts): LaunchItem[] => {
  const film = addVideo(code, 'film.mp4')
  // Visitors do not see these products until they have content, so they do not block the launch.
  return [
    ...about('WITHOUT_CONTENT', facts.withoutVideo, 'without a video, so not listed yet', film),
    ...about(
      'WITHOUT_CONTENT',
      facts.withoutLessons,
      'whose lessons have no video, so not listed yet',
      addVideo(code, 'lesson-1.mp4 lesson-2.mp4'),
    ),
    ...about('WITHOUT_CONTENT', facts.empty, 'with neither a video nor a file, so not listed yet', film),
    ...about('FILE_ALONE', facts.fileAlone, 'of the kind VOD with a file but no video', film),
    ...about('VIDEO_FAILED', facts.failedVideos, 'whose video could not be encoded', () =>
      command(`videos -c ${code}`),
    ),
    ...about(
      'LESSONS_WAITING',
      facts.waitingLessons,
      'with lessons that have no video; these lessons are not listed yet',
      addVideo(code, '--lesson 1 lesson-1.mp4'),
    ),
  ]
}

const productItems = (code: CustomerCode, { order }: SiteSettings, facts: LaunchFacts): LaunchItem[] => {
  const count = (total: number, text: string) => (total === 1 ? `One product ${text}` : `${total} products ${text}`)
  const edit = (table: string, instruction: string) => editTable(code, table, instruction)
  const unready = [...facts.withoutVideo, ...facts.empty, ...facts.withoutLessons]
  return [
    ...(facts.onSale === 0
      ? [missing('NO_PRODUCT', 'No product is on sale.', ...edit('products', 'Add products'))]
      : []),
    ...(facts.onSale > 0 && facts.ready === 0
      ? [
          missing(
            'NO_CONTENT',
            'No product on sale has anything to watch or download.',
            ...unready.slice(0, 1).map(addVideo(code, 'film.mp4')),
          ),
        ]
      : []),
    ...(facts.withoutPrice > 0 && order.usePayment
      ? [
          missing(
            { code: 'NO_PRICE', count: facts.withoutPrice },
            `${count(facts.withoutPrice, 'for sale: no price')}.`,
            ...edit('options', 'Add prices'),
          ),
        ]
      : []),
    ...videoItems(code, facts),
    ...(facts.withoutPoster > 0
      ? [
          advised(
            { code: 'NO_POSTER', count: facts.withoutPoster },
            `${count(facts.withoutPoster, 'without a poster')}.`,
            ...edit('products', 'Name posters'),
          ),
        ]
      : []),
    ...(order.useSubscribe && facts.plansOnSale === 0
      ? [missing('NO_PLAN', 'The store offers plans, but none is on sale.', ...edit('plans', 'Add a plan'))]
      : []),
    ...(order.useSubscribe && facts.emptyPlans.length > 0
      ? [
          advised(
            { code: 'EMPTY_PLANS', names: facts.emptyPlans },
            `Plans without a product on sale, which are not offered yet: ${facts.emptyPlans.join(', ')}.`,
            ...edit('products', 'Give their products the access PLAN or PURCHASE_OR_PLAN'),
          ),
        ]
      : []),
    ...(facts.deadBanners.length > 0
      ? [
          advised(
            { code: 'DEAD_BANNERS', names: facts.deadBanners },
            `Banners that link to an unavailable product or plan: ${facts.deadBanners.join(', ')}.`,
            ...edit('banners', 'Correct their links'),
          ),
        ]
      : []),
    ...(!order.useSubscribe && facts.plansOnSale > 0
      ? [
          advised(
            'PLANS_NOT_OFFERED',
            'Plans are on sale, but the store does not offer them.',
            set(code, 'order.useSubscribe', 'true'),
          ),
        ]
      : []),
  ]
}

const paymentItems = (
  { code, settings, paymentAccounts }: Ctx['customer'],
  environment: InstallationFacts['environment'],
): LaunchItem[] => {
  if (!settings.order.usePayment && !settings.order.useSubscribe) return []
  const active = paymentAccounts.find((account) => account.active)
  const choose = [
    'Set STRIPE_KEY and STRIPE_HOOK in the environment to the secrets of your Stripe account, then:',
    command(`payment-provider -c ${code} stripe --secret secretKey=STRIPE_KEY --secret webhookSecret=STRIPE_HOOK`),
  ]
  if (active && active.provider !== 'sandbox') return []
  if (environment !== 'production')
    return [
      advised('TEST_PAYMENTS', `In ${environment}, payments go to the sandbox. No money is transferred.`, ...choose),
    ]
  return [
    active
      ? missing('TEST_PAYMENTS', 'The payment provider is the sandbox. No money is transferred.', ...choose)
      : missing('NO_PAYMENT_PROVIDER', 'No payment provider is configured, so nobody can pay.', ...choose),
  ]
}

const mailItems = ({ sendsMail, environment }: InstallationFacts): LaunchItem[] => {
  if (sendsMail) return []
  const fix = 'Set SMTP_URL and MAIL_FROM in the environment, or the mail server of the store in its console.'
  return environment === 'production'
    ? [missing('NO_MAIL_SERVER', 'No mail server is configured, so nobody can sign up or reset a password.', fix)]
    : [advised('NO_MAIL_SERVER', `Emails are not sent in ${environment}; they are shown at /mailbox.`, fix)]
}

const hostItems = ({ code }: Ctx['customer'], facts: LaunchFacts, { environment }: InstallationFacts): LaunchItem[] => {
  const fix = command(`customer domains ${code} --add films.example.com`)
  if (facts.hosts === 0) return [missing('NO_HOST', 'The store has no host.', fix)]
  return environment === 'production' && facts.publicHosts === 0
    ? [missing('LOCAL_HOSTS', 'All hosts of the store are under localhost, which only this machine can reach.', fix)]
    : []
}

const brandItems = ({ code, settings: { base, seo } }: Ctx['customer']): LaunchItem[] => [
  ...(base.logoPublicUrl
    ? []
    : [advised('NO_LOGO', 'The store has no logo.', set(code, 'base.logoPublicUrl', 'logo.svg'))]),
  ...(base.faviconPublicUrl
    ? []
    : [advised('NO_FAVICON', 'The store has no favicon.', set(code, 'base.faviconPublicUrl', 'favicon.svg'))]),
  ...(seo.ogImagePublicUrl
    ? []
    : [
        advised(
          'NO_SHARED_PICTURE',
          'The store has no picture for link previews.',
          set(code, 'seo.ogImagePublicUrl', 'share.jpg'),
        ),
      ]),
  ...(seo.description
    ? []
    : [
        advised(
          'NO_DESCRIPTION',
          'The store has no description for search engines.',
          set(code, 'seo.description', '"Films for evenings"'),
        ),
      ]),
]

/**
 * Returns what a store lacks before it can open, most important first; empty when it is ready. Test
 * payments and unsent emails are reported in production only. The store's own data is reported
 * everywhere, because it moves to production with the store.
 */
export const launchChecklist = async (
  { db, customer }: Pick<Ctx, 'db' | 'customer'>,
  installation: InstallationFacts,
): Promise<LaunchItem[]> => {
  const facts = await readLaunchFacts(db, customer.id)
  const { code, settings } = customer
  const sendsMail = await canSendMail(db, customer.id, installation.sendsMail)
  const items = [
    ...hostItems(customer, facts, installation),
    ...(storeStateOf(customer) === 'OPEN'
      ? []
      : [missing('CLOSED', 'The store is closed to visitors.', command(`customer open ${code}`))]),
    ...paymentItems(customer, installation.environment),
    ...mailItems({ ...installation, sendsMail }),
    ...legalItems(customer),
    ...pageItems(code, facts),
    ...productItems(code, settings, facts),
    ...brandItems(customer),
  ]
  return [...items.filter(({ state }) => state === 'MISSING'), ...items.filter(({ state }) => state === 'ADVISED')]
}
