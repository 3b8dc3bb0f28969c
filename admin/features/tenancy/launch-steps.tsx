import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { Link, type LinkProps } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { LaunchItemCode, LaunchItemView } from '#contract/admin/store.ts'
import { Button } from '~/ui/button'
import { Badge } from '~/ui/chip'
import { Rows } from '../../ui/rows'
import { companyFields } from './setting-fields'

interface Step {
  key: string
  title: string
  codes: readonly LaunchItemCode[]
  /** Where it is done; absent for what the administrator of the installation does. */
  link?: LinkProps
}

const pictureCodes: readonly LaunchItemCode[] = ['NO_LOGO', 'NO_FAVICON', 'NO_SHARED_PICTURE']

const useSteps = (items: readonly LaunchItemView[]): Step[] => {
  const { t } = useLingui()
  const isWithoutPicture = items.some(({ code }) => pictureCodes.includes(code))
  return [
    {
      key: 'company',
      title: t`Company details`,
      codes: ['COMPANY_FACT_MISSING'],
      link: { to: '/settings', hash: 'company' },
    },
    {
      key: 'pages',
      title: t`Terms, privacy and refunds`,
      codes: ['PAGE_MISSING', 'PAGE_DRAFT'],
      link: { to: '/content/pages' },
    },
    {
      key: 'products',
      title: t`Products`,
      codes: [
        ...(['NO_PRODUCT', 'NO_CONTENT', 'NO_PRICE', 'WITHOUT_CONTENT', 'FILE_ALONE', 'VIDEO_FAILED'] as const),
        ...(['LESSONS_WAITING', 'NO_POSTER', 'NO_PLAN', 'EMPTY_PLANS', 'PLANS_NOT_OFFERED'] as const),
      ],
      link: { to: '/products' },
    },
    {
      key: 'look',
      title: t`Look and description`,
      codes: [...pictureCodes, 'NO_DESCRIPTION'],
      link: { to: '/settings', hash: isWithoutPicture ? 'pictures' : 'store' },
    },
    { key: 'banners', title: t`Banners`, codes: ['DEAD_BANNERS'], link: { to: '/content/banners' } },
    { key: 'address', title: t`Address`, codes: ['NO_HOST', 'LOCAL_HOSTS'], link: { to: '/store/domains' } },
    {
      key: 'payments',
      title: t`Payments`,
      codes: ['NO_PAYMENT_PROVIDER', 'TEST_PAYMENTS'],
      link: { to: '/store/payments' },
    },
    { key: 'mail', title: t`Emails`, codes: ['NO_MAIL_SERVER'], link: { to: '/store/mail-server' } },
  ]
}

const texts: Readonly<
  Record<Exclude<LaunchItemCode, 'CLOSED'>, (item: { count: number; names: string }) => ReactNode>
> = {
  NO_HOST: () => <Trans>The store has no address.</Trans>,
  LOCAL_HOSTS: () => <Trans>Only the machine of the store can reach its addresses.</Trans>,
  TEST_PAYMENTS: () => <Trans>Payments are tests: no money is transferred.</Trans>,
  NO_PAYMENT_PROVIDER: () => <Trans>Nobody can pay, because there is no payment provider.</Trans>,
  NO_MAIL_SERVER: () => <Trans>Emails are not sent, because there is no mail server.</Trans>,
  COMPANY_FACT_MISSING: ({ names }) => <Trans>Missing: {names}</Trans>,
  PAGE_MISSING: ({ names }) => <Trans>Pages that do not exist: {names}</Trans>,
  PAGE_DRAFT: ({ names }) => <Trans>Pages that are still drafts: {names}</Trans>,
  NO_PRODUCT: () => <Trans>No product is on sale.</Trans>,
  NO_CONTENT: () => <Trans>No product on sale has anything to watch or download.</Trans>,
  NO_PRICE: ({ count }) => <Plural value={count} one="One product has no price." other="# products have no price." />,
  WITHOUT_CONTENT: ({ names }) => <Trans>Without a video or a file, so not listed: {names}</Trans>,
  FILE_ALONE: ({ names }) => <Trans>Videos on demand with a file alone: {names}</Trans>,
  VIDEO_FAILED: ({ names }) => <Trans>The video could not be encoded: {names}</Trans>,
  LESSONS_WAITING: ({ names }) => <Trans>Lessons without a video: {names}</Trans>,
  NO_POSTER: ({ count }) => (
    <Plural value={count} one="One product has no poster." other="# products have no poster." />
  ),
  NO_PLAN: () => <Trans>The store offers plans, but none is on sale.</Trans>,
  EMPTY_PLANS: ({ names }) => <Trans>Plans without a product on sale: {names}</Trans>,
  DEAD_BANNERS: ({ names }) => <Trans>Banners that lead to nothing on sale: {names}</Trans>,
  PLANS_NOT_OFFERED: () => <Trans>Plans are on sale, but the store does not offer them.</Trans>,
  NO_LOGO: () => <Trans>No logo.</Trans>,
  NO_FAVICON: () => <Trans>No icon for browser tabs.</Trans>,
  NO_SHARED_PICTURE: () => <Trans>No picture for shared links.</Trans>,
  NO_DESCRIPTION: () => <Trans>No description for search engines.</Trans>,
}

/** Items with the same code as one, so that their names stand in one line. */
const grouped = (items: readonly LaunchItemView[]) => [
  ...Map.groupBy(items, ({ code, state }) => `${code} ${state}`).values(),
]

/** What a store lacks before it can open, step by step, each with a link to where it is done. */
export function LaunchSteps({ items }: { items: readonly LaunchItemView[] }) {
  const { t, i18n } = useLingui()
  // Banners need nothing until one leads nowhere.
  const steps = useSteps(items).filter(
    ({ key, codes }) => key !== 'banners' || items.some(({ code }) => codes.includes(code)),
  )
  const pages: Readonly<Record<string, string>> = {
    terms: t`Terms of use`,
    privacy: t`Privacy`,
    refund: t`Refund policy`,
    about: t`About us`,
  }
  const nameOf = (code: LaunchItemCode, name: string) => {
    if (code === 'PAGE_MISSING' || code === 'PAGE_DRAFT') return pages[name] ?? name
    const field = companyFields.find((each) => each.name === `business.${name}`)
    return code === 'COMPANY_FACT_MISSING' && field ? i18n._(field.label) : name
  }
  return (
    <Rows
      items={steps.map(({ key, title, codes, link }) => {
        const open = items.filter(({ code }) => codes.includes(code))
        const isMissing = open.some(({ state }) => state === 'MISSING')
        return {
          key,
          title: (
            <>
              {title}{' '}
              {open.length === 0 ? (
                <Badge tone="success">{t`Done`}</Badge>
              ) : (
                <Badge tone={isMissing ? 'danger' : 'neutral'}>{isMissing ? t`Required` : t`Recommended`}</Badge>
              )}
            </>
          ),
          detail: open.length > 0 && (
            <>
              {grouped(open).map((group) => {
                const [first] = group
                if (!first || first.code === 'CLOSED') return null
                const { code, state } = first
                const names = group.flatMap((item) => item.names.map((name) => nameOf(code, name))).join(', ')
                return (
                  <div key={`${code} ${state}`}>
                    {texts[code]({ count: first.count, names })}{' '}
                    {isMissing && state === 'ADVISED' && <Badge>{t`Recommended`}</Badge>}
                  </div>
                )
              })}
              {!link && isMissing && <Trans>The administrator of the installation sets it up with commands.</Trans>}
            </>
          ),
          end: link && open.length > 0 && (
            <Button size="s" render={<Link {...link} aria-label={t`Go there: ${title}`} />}>
              <Trans>Go there</Trans>
            </Button>
          ),
        }
      })}
    />
  )
}
