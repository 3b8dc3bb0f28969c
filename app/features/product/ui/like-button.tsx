import { Plural, Trans } from '@lingui/react/macro'
import { Link, useLocation } from '@tanstack/react-router'
import type { Product } from '#contract/catalog.ts'
import { useMe } from '~/platform/shell/shell.functions'
import { Button } from '~/ui/button'
import { useLike } from '../use-like'
import styles from './product-page.module.css'

/** Likes a product. A guest is asked to sign in, and comes back. */
export function LikeButton({ product }: { product: Product }) {
  const member = useMe()
  const here = useLocation({ select: ({ href }) => href })
  const { liked, toggle } = useLike(product)
  const words = <Plural value={product.countOfLikes} _0="Wish list" other="Wish list (#)" />
  if (!member) {
    return (
      <Button variant="ghost" icon="heart" render={<Link to="/login" search={{ redirect: here }} />}>
        {words}
      </Button>
    )
  }
  return (
    <Button
      variant="ghost"
      icon={liked ? 'heart-filled' : 'heart'}
      aria-pressed={liked}
      className={styles.like ?? ''}
      onClick={toggle}
    >
      {liked && product.countOfLikes === 1 ? <Trans>In your wish list</Trans> : words}
    </Button>
  )
}
