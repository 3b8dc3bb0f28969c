import { msg } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import * as z from 'zod/mini'
import { type LinkProblem, picturedBanners, type StoreBanner } from '#contract/admin/content.ts'
import type { BannerLink } from '#contract/content.ts'
import { type BannerType, bannerType } from '#contract/enumerations.ts'
import { categoryId, planCode, productCode } from '#contract/ids.ts'
import { Notice } from '~/ui/notice'
import { Select } from '~/ui/select'
import { useAdminApi } from '../../platform/admin-api'
import { useMay } from '../../platform/session'
import { type ContentText, ContentTexts, textsIn } from '../../ui/content-form'
import { CodeField, type Texts } from '../../ui/form'
import { PeriodFields, usePeriodIn } from '../../ui/period-fields'
import { pathText } from '../../ui/product-labels'
import { Loaded } from '../../ui/states'
import { TextField } from '../../ui/text-field'
import { ProductField } from '../catalog/product-field'
import { plansQuery } from '../catalog/products.queries'

export const bannerTypes = {
  MAIN_SLIDER_BANNER: msg`Slide of the home page`,
  GRID: msg`Tile of the home page`,
  BANNER: msg`Wide picture of the home page`,
  CUSTOM: msg`Text of the home page`,
  HEADER_BANNER: msg`Line above every page`,
  NONE: msg`Not shown`,
} as const satisfies Record<BannerType, unknown>

export const bannerTexts = [
  { name: 'title', kind: 'line', label: msg`Title`, maxLength: 300, isRequired: true },
  { name: 'text', kind: 'text', label: msg`Text below the title`, maxLength: 1000 },
  { name: 'label', kind: 'line', label: msg`Text of the button`, maxLength: 100 },
] as const satisfies readonly ContentText[]

export const customTexts = [
  { name: 'title', kind: 'line', label: msg`Title`, maxLength: 300, isRequired: true },
  { name: 'html', kind: 'html', label: msg`Text`, maxLength: 200_000, isRequired: true },
] as const satisfies readonly ContentText[]

const linkProblems = {
  MISSING: msg`It leads to something that the store no longer has.`,
  DRAFT: msg`It leads to a draft, which visitors do not see.`,
  HIDDEN: msg`It leads to a hidden product, which visitors do not see.`,
  SCHEDULED: msg`It leads to something that visitors will see later.`,
  ENDED: msg`It leads to something that has ended.`,
  NOT_OFFERED: msg`It leads to something that the store does not offer.`,
} as const satisfies Record<LinkProblem, unknown>

/** Why visitors who follow a banner find nothing. The home page leaves out some such banners. */
export function LinkWarning({ banner: { link, linkProblem } }: { banner: Pick<StoreBanner, 'link' | 'linkProblem'> }) {
  const { i18n } = useLingui()
  if (linkProblem === null) return null
  return (
    <Notice tone="warning">
      {i18n._(linkProblems[linkProblem])}{' '}
      {link?.target === 'PRODUCT' && <Trans>Visitors do not see the banner until they see the product.</Trans>}
    </Notice>
  )
}

const targets = ['NONE', 'PRODUCT', 'CATEGORY', 'PLAN', 'URL'] as const
type Target = (typeof targets)[number]

interface LinkSelectProps<Item> {
  query: UseQueryResult<{ items: Item[] }>
  optionOf: (item: Item) => { value: string; label: string }
  name: string
  label: string
  /** Shown while nothing is chosen. */
  placeholder: string
  value: string
  error: string | undefined
}

/** Chooses what a banner leads to from a list of the store. */
function LinkSelect<Item>({ query, optionOf, placeholder, value, ...field }: LinkSelectProps<Item>) {
  return (
    <Loaded query={query}>
      {({ items }) => (
        <Select
          {...field}
          defaultValue={value}
          required
          options={[{ value: '', label: placeholder, disabled: true }, ...items.map(optionOf)]}
        />
      )}
    </Loaded>
  )
}

interface TargetFieldProps {
  value: string
  error: string | undefined
}

function CategoryField(props: TargetFieldProps) {
  const { t } = useLingui()
  const api = useAdminApi()
  const categories = useQuery({ queryKey: ['categories'], queryFn: () => api.admin.categories.list() })
  return (
    <LinkSelect
      {...props}
      query={categories}
      optionOf={(item) => ({ value: item.id, label: pathText(item) })}
      name="linkCategory"
      label={t`Category`}
      placeholder={t`Choose a category`}
    />
  )
}

/** A plan of the store. Who may not read plans types its code. */
function PlanField({ value, error }: TargetFieldProps) {
  const { t } = useLingui()
  const mayRead = useMay()('products:read')
  const plans = useQuery({ ...plansQuery(useAdminApi()), enabled: mayRead })
  if (!mayRead) return <CodeField label={t`Plan code`} name="linkPlan" defaultValue={value} required error={error} />
  return (
    <LinkSelect
      query={plans}
      optionOf={({ code, name }) => ({ value: code, label: name })}
      name="linkPlan"
      label={t`Plan`}
      placeholder={t`Choose a plan`}
      value={value}
      error={error}
    />
  )
}

function LinkFields({ link, errors }: { link: BannerLink | null; errors: Texts }) {
  const { t } = useLingui()
  const [target, setTarget] = useState<Target>(link?.target ?? 'NONE')
  const labels: Record<Target, string> = {
    NONE: t`Nowhere`,
    PRODUCT: t`A product`,
    CATEGORY: t`A category`,
    PLAN: t`A plan`,
    URL: t`Another address`,
  }
  const error = Object.entries(errors).find(([path]) => path.startsWith('link'))?.[1]
  return (
    <>
      <Select
        label={t`Leads to`}
        name="linkTarget"
        value={target}
        onChange={({ target: { value } }) => setTarget(targets.find((each) => each === value) ?? 'NONE')}
        options={targets.map((value) => ({ value, label: labels[value] }))}
      />
      {target === 'PRODUCT' && (
        <ProductField
          name="linkProduct"
          defaultValue={link?.target === 'PRODUCT' ? link.productCode : ''}
          error={error}
        />
      )}
      {target === 'PLAN' && <PlanField value={link?.target === 'PLAN' ? link.planCode : ''} error={error} />}
      {target === 'CATEGORY' && (
        <CategoryField value={link?.target === 'CATEGORY' ? link.categoryId : ''} error={error} />
      )}
      {target === 'URL' && (
        <TextField
          label={t`Address`}
          hint={t`A path of the store such as /plans, or https://example.com.`}
          name="linkUrl"
          defaultValue={link?.target === 'URL' ? link.url : ''}
          maxLength={2000}
          required
          dir="ltr"
          error={error}
        />
      )}
    </>
  )
}

/** The link that was typed. The fields' patterns are those of the contract. */
const linkIn = ({ linkTarget, linkProduct, linkCategory, linkPlan, linkUrl = '' }: Texts): BannerLink | null => {
  if (linkTarget === 'PRODUCT') return { target: 'PRODUCT', productCode: z.parse(productCode, linkProduct) }
  if (linkTarget === 'CATEGORY') return { target: 'CATEGORY', categoryId: z.parse(categoryId, linkCategory) }
  if (linkTarget === 'PLAN') return { target: 'PLAN', planCode: z.parse(planCode, linkPlan) }
  return linkTarget === 'URL' ? { target: 'URL', url: linkUrl.trim() } : null
}

interface BannerFieldsProps {
  banner?: StoreBanner
  errors: Texts
  /** The control of the picture of a new banner. */
  picture?: ReactNode
}

/** The controls of a banner. What its place does not show is left out. */
export function BannerFields({ banner, errors, picture }: BannerFieldsProps) {
  const { t, i18n } = useLingui()
  const [type, setType] = useState<BannerType>(banner?.type ?? 'MAIN_SLIDER_BANNER')
  const isCustom = type === 'CUSTOM'
  const { title, text, label, html } = banner ?? {}
  return (
    <>
      <Select
        label={t`Place`}
        name="type"
        value={type}
        onChange={({ target }) => setType(bannerType.safeParse(target.value).data ?? type)}
        // The places in the order of the page.
        options={Object.entries(bannerTypes).map(([value, label]) => ({ value, label: i18n._(label) }))}
      />
      <ContentTexts
        key={String(isCustom)}
        fields={isCustom ? customTexts : bannerTexts}
        values={{ title: title ?? '', text: text ?? '', label: label ?? '', html: html ?? '' }}
        errors={errors}
      />
      {!isCustom && <LinkFields link={banner?.link ?? null} errors={errors} />}
      {picturedBanners.includes(type) && picture}
      {picturedBanners.includes(type) && (
        <Select
          label={t`Text on the picture`}
          name="tone"
          defaultValue={banner?.tone ?? 'LIGHT'}
          options={[
            { value: 'LIGHT', label: t`Light` },
            { value: 'DARK', label: t`Dark` },
          ]}
        />
      )}
      <PeriodFields {...(banner && { period: banner })} errors={errors} />
    </>
  )
}

/** Returns a function that reads the typed fields of a banner. */
export const useBannerIn = () => {
  const periodIn = usePeriodIn()
  return (typed: Texts) => {
    const type = z.parse(bannerType, typed.type)
    const { title = '', text = '', label } = textsIn(bannerTexts, typed)
    const { html = '' } = textsIn(customTexts, typed)
    const isCustom = type === 'CUSTOM'
    const shown = isCustom ? { html } : { text, label: label || null, link: linkIn(typed) }
    const tone = typed.tone === 'DARK' ? ('DARK' as const) : ('LIGHT' as const)
    return { type, title, text: '', label: null, link: null, html: null, tone, ...shown, ...periodIn(typed) }
  }
}
