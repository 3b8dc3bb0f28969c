import { Link } from '@tanstack/react-router'
import type { BannerLink } from '#contract/content.ts'
import { useCategories } from '~/platform/shell/shell.functions'
import type { RenderElement } from '~/ui/element'

/** The link a banner stands for, to be given its content; null where it leads nowhere. */
export function useBannerLink(link: BannerLink | null): RenderElement | null {
  const categories = useCategories()
  switch (link?.target) {
    case 'CATEGORY': {
      const category = categories.find(({ id }) => id === link.categoryId)
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

// biome-ignore lint/a11y/useAnchorContent: the banner fills it with its words.
const outsideLink = (url: string) => <a href={url} rel="noopener" />
