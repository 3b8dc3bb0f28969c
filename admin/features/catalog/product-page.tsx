import { msg } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useCallback, useState } from 'react'
import type { StoreProduct, StoreProductParts } from '#contract/admin/products.ts'
import type { Locale } from '#contract/enumerations.ts'
import { Button } from '~/ui/button'
import { Notice } from '~/ui/notice'
import { useAdminApi } from '../../platform/admin-api'
import { lazyPart } from '../../platform/lazy-part'
import { useMay } from '../../platform/session'
import { type ContentText, TranslationForms } from '../../ui/content-form'
import { DeleteSection } from '../../ui/delete-section'
import { History } from '../../ui/history'
import { Columns, LoadedPage, Page } from '../../ui/page'
import { saleStates } from '../../ui/product-labels'
import { ReadOnlyNotice } from '../../ui/read-only-notice'
import { StatusBadge } from '../../ui/status'
import { useVersions } from '../../ui/use-versions'
import { AttachmentSection } from './attachment-section'
import { OptionForm } from './option-form'
import { PictureSections } from './picture-sections'
import { ProductForm, tagsIn } from './product-form'
import styles from './products.module.css'
import { bannersQuery, partsQuery, productQuery } from './products.queries'
import { SaleSection } from './sale-section'
import { VideoSection } from './video-section'

const route = getRouteApi('/products/$code')

// It is shown once the lessons are loaded.
const LessonSection = lazyPart(async () => ({ default: (await import('./lesson-section')).LessonSection }))

const PreviewSection = lazyPart(async () => ({
  default: (await import('../../ui/preview-section')).PreviewSection,
}))

const DuplicateDialog = lazyPart(async () => ({ default: (await import('./duplicate-dialog')).DuplicateDialog }))

/** The texts of lessons, without their videos. The form of others keeps what is typed. */
const lessonsOf = ({ lessons }: StoreProductParts) =>
  JSON.stringify(lessons.map(({ durationSeconds: _, videoId: _video, ...lesson }) => lesson))

const texts = [
  { name: 'title', kind: 'line', label: msg`Title`, maxLength: 300 },
  { name: 'summary', kind: 'text', label: msg`Summary`, maxLength: 2000 },
  { name: 'description', kind: 'html', label: msg`Description`, maxLength: 200_000 },
] as const satisfies readonly ContentText[]

/** What else is translated of a product. */
const translatedFields = [
  ...texts,
  {
    name: 'tags',
    kind: 'line',
    label: msg`Tags`,
    hint: msg`Separated by commas, in the order of the tags above.`,
    maxLength: 3000,
  },
  {
    name: 'posterAlt',
    kind: 'line',
    label: msg`What the poster shows`,
    hint: msg`For people who do not see it. The title if empty.`,
    maxLength: 300,
  },
  {
    name: 'seoTitle',
    kind: 'line',
    label: msg`Title for search engines`,
    hint: msg`The title of the product if empty.`,
    maxLength: 300,
  },
  {
    name: 'seoDescription',
    kind: 'text',
    label: msg`Text for search engines`,
    hint: msg`The summary if empty.`,
    maxLength: 1000,
  },
] as const satisfies readonly ContentText[]

type Translations = StoreProduct['translations']

/** The translations as a form shows them. */
const typedOf = (translations: Translations) =>
  Object.fromEntries(
    Object.entries(translations).map(([language, { tags, ...each }]) => [
      language,
      { ...each, ...(tags && { tags: tags.join(', ') }) },
    ]),
  )

/** What a form of translations sends. */
const translationsIn = (typed: Partial<Record<Locale, Partial<Record<string, string>>>>) =>
  Object.fromEntries(
    Object.entries(typed).map(([language, { tags = '', ...each }]) => [language, { ...each, tags: tagsIn(tags) }]),
  )

function DeleteDraft({ product: { code, title, version } }: { product: StoreProduct }) {
  const { t } = useLingui()
  const api = useAdminApi()
  const navigate = route.useNavigate()
  return (
    <DeleteSection
      permission="products:write"
      question={t`Delete “${title}” with its prices, lessons and files?`}
      word={code}
      queryKey={['product', code]}
      changes={[['products']]}
      send={() => api.admin.products.delete({ code }, { context: { ifMatch: version } })}
      onDone={() => void navigate({ to: '/products' })}
    />
  )
}

/** Which banners lead to a product that visitors do not see. */
function BannersOfProduct({ code }: Pick<StoreProduct, 'code'>) {
  const banners = useQuery(bannersQuery(useAdminApi()))
  const leading = (banners.data?.items ?? []).filter(
    ({ link, state }) => link?.target === 'PRODUCT' && link.productCode === code && state !== 'ENDED',
  )
  if (leading.length === 0) return null
  return (
    <Notice tone="warning">
      <Trans>Banners that lead to this product are not shown until visitors see it:</Trans>{' '}
      {leading.map(({ id, title }, at) => (
        <span key={id}>
          {at > 0 && ' · '}
          <Link to="/content/banners/$id" params={{ id }} className={styles.leading}>
            <bdi>{title}</bdi>
          </Link>
        </span>
      ))}
    </Notice>
  )
}

function ProductDetail({ product }: { product: StoreProduct }) {
  const api = useAdminApi()
  const may = useMay()
  const queryClient = useQueryClient()
  const { code, title, state, ready } = product
  const isAllowed = may('products:write')
  const [isDuplicating, setDuplicating] = useState(false)
  const parts = useQuery(partsQuery(api, code))
  const onReady = useCallback(
    () => void queryClient.invalidateQueries({ queryKey: ['product', code] }),
    [queryClient, code],
  )
  const versions = useVersions({
    permission: 'products:write',
    texts,
    values: { title, summary: product.summary, description: product.description },
    translations: typedOf(product.translations),
    queryKey: ['product', code],
    changes: [['products']],
    send: (change) => api.admin.products.change({ code, ...change }, { context: { ifMatch: product.version } }),
  })
  return (
    <Page
      title={title}
      badge={<StatusBadge status={saleStates[state]} />}
      actions={
        <>
          {may('analytics:read') && (
            <Button render={<Link to="/analytics/$code" params={{ code }} />}>
              <Trans>Analytics</Trans>
            </Button>
          )}
          {may('comments:read') && (
            <Button render={<Link to="/comments/all" search={{ product: code }} />}>
              <Trans>Comments</Trans>
            </Button>
          )}
          {isAllowed && (
            <Button onClick={() => setDuplicating(true)}>
              <Trans>Duplicate</Trans>
            </Button>
          )}
          {state === 'ON_SALE' && ready && (
            // The storefront is another program.
            <Button iconEnd="external" render={<a href={`/products/${code}`} />}>
              <Trans>View in the store</Trans>
            </Button>
          )}
        </>
      }
    >
      <ReadOnlyNotice permission="products:write" />
      {state === 'ON_SALE' && !ready && (
        <Notice tone="warning">
          <Trans>Visitors do not see it yet, because there is nothing to watch or download.</Trans>
        </Notice>
      )}
      {state !== 'ON_SALE' && may('content:read') && <BannersOfProduct code={code} />}
      <Columns
        aside={
          <>
            {may('videos:read') && (
              <VideoSection
                product={product}
                hasLessons={(parts.data?.lessons.length ?? product.lessonCount) > 0}
                onReady={onReady}
              />
            )}
            <PictureSections product={product} />
            {isAllowed && (
              <PreviewSection create={(at) => api.admin.products.createPreview({ code, at })} changes={[]}>
                <Trans>Anyone with the link sees the page of the product as visitors will.</Trans>
              </PreviewSection>
            )}
            <History entries={product.history} versions={versions} />
            {state === 'DRAFT' && <DeleteDraft product={product} />}
          </>
        }
      >
        <ProductForm product={product} />
        <SaleSection key={JSON.stringify([product.status, product.saleFrom, product.saleTo])} product={product} />
        <OptionForm key={JSON.stringify(product.options)} product={product} />
        {parts.data && (
          <>
            <LessonSection key={`lessons ${lessonsOf(parts.data)}`} code={code} parts={parts.data} />
            <AttachmentSection key={`files ${JSON.stringify(parts.data.attachments)}`} code={code} parts={parts.data} />
          </>
        )}
        <TranslationForms
          permission="products:write"
          fields={translatedFields}
          translations={typedOf(product.translations)}
          queryKey={['product', code]}
          changes={[['products']]}
          send={(translations) =>
            api.admin.products.change(
              { code, translations: translationsIn(translations) },
              { context: { ifMatch: product.version } },
            )
          }
        />
      </Columns>
      {isDuplicating && <DuplicateDialog product={product} onClose={() => setDuplicating(false)} />}
    </Page>
  )
}

/** A product with its texts, prices, video and poster. */
export function ProductPage() {
  const { t } = useLingui()
  const { code } = route.useParams()
  const product = useQuery(productQuery(useAdminApi(), code))
  return (
    <LoadedPage title={t`Product`} query={product}>
      {(data) => <ProductDetail product={data} />}
    </LoadedPage>
  )
}
