import { Link } from '@tanstack/react-router'
import type { BannerLink } from '#contract/content.ts'
import { useCategoryTree } from '~/platform/shell/categories'
import type { RenderElement } from '~/ui/element'

/** A banner's link as an element without content; null if it has none. */
export function useBannerLink(link: BannerLink | null): RenderElement | null {
  const { byId } = useCategoryTree()
  switch (link?.target) {
    case 'CATEGORY': {
      const category = byId.get(link.categoryId)
      return category ? <Link to="/products" search={{ category: category.path }} /> : null
    }
    case 'PRODUCT':
      return <Link to="/products/$code" params={{ code: link.productCode }} />
    case 'URL':
      return link.url.startsWith('/') ? <Link to={link.url} /> : outsideLink(link.url)
    case 'PLAN':
      return <Link to="/plans/$id/products" params={{ id: link.planCode }} />
    case undefined:
      return null
    default:
      return link satisfies never
  }
}

// biome-ignore lint/a11y/useAnchorContent: the banner adds the content.
const outsideLink = (url: string) => <a href={url} rel="noopener" />
