import { msg } from '@lingui/core/macro'
import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import * as z from 'zod/mini'
import type { StorePlan } from '#contract/admin/plans.ts'
import { planCycle } from '#contract/enumerations.ts'
import { categoryId, productCode } from '#contract/ids.ts'
import { Button } from '~/ui/button'
import { Badge } from '~/ui/chip'
import { Checkbox } from '~/ui/choice'
import { Select } from '~/ui/select'
import { useAdminApi } from '../../platform/admin-api'
import { ContentForm, type ContentText, ContentTexts, TranslationForms, textsIn } from '../../ui/content-form'
import { DeleteSection } from '../../ui/delete-section'
import type { Texts } from '../../ui/form'
import { heldState } from '../../ui/form-draft'
import { History } from '../../ui/history'
import { amountOf, MoneyField, typedAmount } from '../../ui/money-field'
import { Columns, LoadedPage, Page, Section } from '../../ui/page'
import { planCycles } from '../../ui/product-labels'
import { ReadOnlyNotice } from '../../ui/read-only-notice'
import { TextField } from '../../ui/text-field'
import { ProductChoice } from './product-choice'
import { CategoryChoice } from './product-form'
import { planQuery } from './products.queries'

const route = getRouteApi('/plans/$id')

const texts = [
  { name: 'name', kind: 'line', label: msg`Name`, maxLength: 200, isRequired: true },
  { name: 'summary', kind: 'text', label: msg`Summary`, maxLength: 2000 },
  {
    name: 'benefits',
    kind: 'text',
    label: msg`What subscribers get`,
    hint: msg`One benefit a line.`,
    maxLength: 6000,
  },
] as const satisfies readonly ContentText[]

const linesOf = (text = '') => text.split('\n').flatMap((line) => line.trim() || [])

const planTextsIn = (typed: Texts) => {
  const { name = '', summary = '', benefits } = textsIn(texts, typed)
  return { name, summary, benefits: linesOf(benefits) }
}

/** The texts of a plan as its forms show them. */
const shown = ({ name, summary, benefits }: NonNullable<StorePlan['translations']['en']>) => ({
  name: name ?? '',
  summary: summary ?? '',
  benefits: benefits?.join('\n') ?? '',
})

const scopes = ['ALL', 'CATEGORIES', 'PRODUCTS'] as const
type Scope = (typeof scopes)[number]

const heldTerms = z.object({
  scope: z.enum(scopes),
  categoryIds: z.array(categoryId),
  products: z.array(z.object({ code: productCode, title: z.string() })),
})

/** The codes in one order, to compare lists. */
const codesOf = (codes: readonly string[]) => codes.toSorted().join()

/** What a plan costs, what it opens, and whether it is on sale. */
function TermsForm({ plan }: { plan: StorePlan }) {
  const { t, i18n } = useLingui()
  const api = useAdminApi()
  const { id, version, subscribers } = plan
  const { currency } = plan.price
  const [scope, setScope] = useState<Scope>(plan.scope)
  const [categoryIds, setCategoryIds] = useState(plan.categoryIds)
  const [products, setProducts] = useState(
    plan.productCodes.map((code, at) => ({ code, title: plan.productTitles[at] ?? code })),
  )
  const send = ({ price = '', cycle = '', trialDays = '', streams = '', onSale, recommended }: Texts) =>
    api.admin.plans.change(
      {
        id,
        price: amountOf(price, currency),
        cycle: planCycle.safeParse(cycle).data,
        trialDays: Number(trialDays),
        streams: Number(streams),
        scope,
        categoryIds: scope === 'CATEGORIES' ? categoryIds : [],
        productCodes: scope === 'PRODUCTS' ? products.map(({ code }) => code) : [],
        onSale: onSale !== undefined,
        recommended: recommended !== undefined,
      },
      { context: { ifMatch: version } },
    )
  const scopeLabels: Record<Scope, string> = {
    ALL: t`All products that plans open`,
    CATEGORIES: t`Products of some categories`,
    PRODUCTS: t`Chosen products`,
  }
  return (
    <ContentForm
      permission="products:write"
      title={<Trans>Price and content</Trans>}
      send={send}
      done={t`Plan saved`}
      queryKey={['plan', id]}
      changes={[['plans']]}
      part="terms"
      held={heldState({ scope, categoryIds, products }, heldTerms, (held) => {
        setScope(held.scope)
        setCategoryIds(held.categoryIds)
        setProducts(held.products)
      })}
      isChanged={codesOf(products.map(({ code }) => code)) !== codesOf(plan.productCodes)}
    >
      {(errors) => (
        <>
          <MoneyField
            currency={currency}
            label={t`Price`}
            hint={
              subscribers > 0 ? t`For new subscribers. Those of today keep the price that they agreed to.` : undefined
            }
            name="price"
            defaultValue={typedAmount(plan.price.amount, currency)}
            required
            error={errors.price}
          />
          <Select
            label={t`Charged every`}
            name="cycle"
            defaultValue={plan.cycle}
            options={planCycle.options.map((value) => ({ value, label: i18n._(planCycles[value]) }))}
            error={errors.cycle}
          />
          <TextField
            label={t`Days of the trial`}
            hint={t`Before the first charge; each member gets one trial. 0: none.`}
            name="trialDays"
            type="number"
            min={0}
            max={365}
            defaultValue={String(plan.trialDays)}
            required
            error={errors.trialDays}
          />
          <TextField
            label={t`Streams at the same time`}
            name="streams"
            type="number"
            min={1}
            max={100}
            defaultValue={String(plan.streams)}
            required
            error={errors.streams}
          />
          <Select
            label={t`Opens`}
            hint={t`Of the products whose “Who may watch” includes subscribers.`}
            value={scope}
            onChange={({ target }) => setScope(scopes.find((each) => each === target.value) ?? scope)}
            options={scopes.map((value) => ({ value, label: scopeLabels[value] }))}
          />
          {scope === 'CATEGORIES' && (
            <CategoryChoice chosen={categoryIds} onChange={setCategoryIds} error={errors.categoryIds} />
          )}
          {scope === 'PRODUCTS' && (
            <ProductChoice legend={t`Products`} chosen={products} onChange={setProducts} error={errors.productCodes} />
          )}
          <Checkbox name="recommended" label={t`Recommended on the page of plans`} defaultChecked={plan.recommended} />
          <Checkbox name="onSale" label={t`On sale`} defaultChecked={plan.onSale} error={errors.onSale} />
        </>
      )}
    </ContentForm>
  )
}

function PlanEditor({ plan }: { plan: StorePlan }) {
  const { t } = useLingui()
  const api = useAdminApi()
  const navigate = useNavigate()
  const { id, code, version, subscribers, products } = plan
  const queryKey = ['plan', id]
  const changes = [['plans']]
  const context = { ifMatch: version }
  return (
    <Page
      title={plan.name}
      badge={<Badge tone={plan.onSale ? 'success' : 'neutral'}>{plan.onSale ? t`On sale` : t`Not on sale`}</Badge>}
      actions={
        plan.onSale && (
          <Button icon="external" render={<a href="/plans">{t`View in the store`}</a>}>
            <Trans>View in the store</Trans>
          </Button>
        )
      }
    >
      <ReadOnlyNotice permission="products:write" />
      <Columns
        aside={
          <>
            <Section title={<Trans>In use</Trans>}>
              <p>
                <Link to="/subscriptions" search={{ plan: code }}>
                  <Plural value={subscribers} one="# subscriber" other="# subscribers" />
                </Link>
                {' · '}
                <Plural value={products} one="# product on sale" other="# products on sale" />
              </p>
            </Section>
            <History entries={plan.history} />
            {subscribers === 0 && (
              <DeleteSection
                permission="products:write"
                question={t`Delete the plan?`}
                word={code}
                queryKey={queryKey}
                changes={changes}
                send={() => api.admin.plans.delete({ id }, { context })}
                onDone={() => void navigate({ to: '/plans' })}
              />
            )}
          </>
        }
      >
        <ContentForm
          key={JSON.stringify(shown(plan))}
          permission="products:write"
          title={<Trans>Texts</Trans>}
          send={(typed) => api.admin.plans.change({ id, ...planTextsIn(typed) }, { context })}
          done={t`Plan saved`}
          queryKey={queryKey}
          changes={changes}
        >
          {(errors) => <ContentTexts permission="products:write" fields={texts} values={shown(plan)} errors={errors} />}
        </ContentForm>
        <TermsForm key={version} plan={plan} />
        <TranslationForms
          permission="products:write"
          fields={texts}
          translations={Object.fromEntries(
            Object.entries(plan.translations).map(([language, own]) => [language, shown(own ?? {})]),
          )}
          queryKey={queryKey}
          changes={changes}
          send={(translations) =>
            api.admin.plans.change(
              {
                id,
                translations: Object.fromEntries(
                  Object.entries(translations).map(([language, own]) => [
                    language,
                    { name: own?.name ?? '', summary: own?.summary ?? '', benefits: linesOf(own?.benefits) },
                  ]),
                ),
              },
              { context },
            )
          }
        />
      </Columns>
    </Page>
  )
}

/** A plan with its price, what it opens, and its history. */
export function PlanPage() {
  const { t } = useLingui()
  const { id } = route.useParams()
  const plan = useQuery(planQuery(useAdminApi(), id))
  return (
    <LoadedPage title={t`Plan`} query={plan}>
      {(data) => <PlanEditor plan={data} />}
    </LoadedPage>
  )
}
