import { Link } from '@tanstack/react-router'
import type { BannerLink } from '#contract/content.ts'
import type { RenderElement } from '~/ui/render-as'

/** The link a banner stands for; null where it leads nowhere that exists in this store yet. */
export function bannerLink(link: BannerLink | null): RenderElement | null {
  switch (link?.target) {
    case 'CATEGORY':
      return <Link to="/products" search={{ category: link.categoryId }} />
    case 'PRODUCT':
      return <Link to="/products/$code" params={{ code: link.productCode }} />
    case 'URL':
      return link.url.startsWith('/') ? <Link to={link.url} /> : <a href={link.url} rel="noopener" />
    case 'PLAN':
    case undefined:
      return null
    default:
      return link satisfies never
  }
}
