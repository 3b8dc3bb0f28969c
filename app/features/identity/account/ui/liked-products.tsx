import { msg } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import { useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ProductCard } from '#contract/catalog.ts'
import { ProductPrice } from '~/parts/product-price'
import { useLessonLabels } from '~/parts/use-lesson-labels'
import { call } from '~/platform/api/call'
import { useFormat } from '~/platform/format/use-format'
import { langOf } from '~/platform/i18n/locales'
import { usePaginationLabels } from '~/platform/labels'
import { showToast } from '~/platform/toasts/toasts'
import { Button, IconButton } from '~/ui/button'
import { EmptyState } from '~/ui/empty-state'
import { Pagination } from '~/ui/pagination'
import { PosterCard } from '~/ui/poster-card'
import { PosterGrid } from '~/ui/poster-grid'
import { SectionHeading } from '~/ui/section-heading'
import { type LikedProductsSearch, likedProductsQuery, productsPerPage, setLiked } from '../account.functions'
import styles from './product-list.module.css'

const undoLife = 8_000

/** Removes a product from the wish list at once. The toast offers to undo it. */
function useUnlike(search: LikedProductsSearch) {
  const queryClient = useQueryClient()
  const list = likedProductsQuery(search)
  const send = ({ product, liked }: { product: ProductCard; liked: boolean }) =>
    call((signal) => setLiked({ data: { id: product.id, liked }, signal }))
  const { mutate } = useMutation({
    mutationFn: send,
    onMutate: async ({ product, liked }) => {
      await queryClient.cancelQueries(list)
      const before = queryClient.getQueryData(list.queryKey)
      if (before && !liked) {
        const items = before.items.filter(({ id }) => id !== product.id)
        queryClient.setQueryData(list.queryKey, { ...before, items, total: before.total - 1 })
      }
      return { before }
    },
    onSuccess: (_answer, { product, liked }) => {
      if (liked) return
      showToast({
        severity: 'info',
        summary: msg`Removed from your wish list.`,
        detail: product.title,
        life: undoLife,
        action: { label: msg`Undo`, run: () => mutate({ product, liked: true }) },
      })
    },
    onError: (_error, _change, saved) => {
      if (saved?.before) queryClient.setQueryData(list.queryKey, saved.before)
    },
    onSettled: () => {
      void queryClient.invalidateQueries({ queryKey: ['liked-products'] })
      void queryClient.invalidateQueries({ queryKey: ['product'] })
    },
  })
  return (product: ProductCard) => mutate({ product, liked: false })
}

export function LikedProducts({ search }: { search: LikedProductsSearch }) {
  const { t } = useLingui()
  const format = useFormat()
  const labels = usePaginationLabels()
  const unlike = useUnlike(search)
  const { data } = useSuspenseQuery(likedProductsQuery(search))
  return (
    <>
      <SectionHeading
        level="h1"
        title={<Trans>Wish list</Trans>}
        count={data.total > 0 ? format.number(data.total) : undefined}
      />
      {data.items.length === 0 ? (
        <EmptyState
          icon="heart"
          title={data.total > 0 ? t`This page is empty.` : t`Your wish list is empty.`}
          actions={
            <Button variant="primary" render={<Link to={data.total > 0 ? '/mypages/liked-products' : '/products'} />}>
              {data.total > 0 ? <Trans>Go to the first page</Trans> : <Trans>Browse the store</Trans>}
            </Button>
          }
        >
          <Trans>Tap the heart on any title to save it here.</Trans>
        </EmptyState>
      ) : (
        <PosterGrid>
          {data.items.map((product) => (
            <li key={product.id}>
              <LikedCard product={product} onUnlike={() => unlike(product)} />
            </li>
          ))}
        </PosterGrid>
      )}
      <div className={styles.pages}>
        <Pagination
          page={data.page}
          pages={Math.ceil(data.total / productsPerPage)}
          labels={labels}
          linkTo={(page) => <Link to="/mypages/liked-products" search={{ page }} />}
        />
      </div>
    </>
  )
}

function LikedCard({ product, onUnlike }: { product: ProductCard; onUnlike: () => void }) {
  const { t } = useLingui()
  const lessonLabels = useLessonLabels()
  const format = useFormat()
  return (
    <PosterCard
      render={<Link to="/products/$code" params={{ code: product.code }} />}
      picture={product.poster}
      title={product.title}
      titleLang={langOf(product, 'title')}
      metaLang={product.lessonCount > 1 ? undefined : langOf(product, 'summary')}
      headingLevel="h2"
      corner={product.durationSeconds ? format.duration(product.durationSeconds) : undefined}
      meta={product.lessonCount > 1 ? lessonLabels.count(product.lessonCount) : product.summary}
      price={product.viewer?.entitled ? <Trans>Ready to watch</Trans> : <ProductPrice product={product} />}
      action={
        <IconButton
          icon="heart-filled"
          variant="glass"
          size="s"
          round
          label={t`Wish list: ${product.title}`}
          aria-pressed
          onClick={onUnlike}
        />
      }
    />
  )
}
