import { Link } from '@tanstack/react-router'
import type { ComponentProps } from 'react'
import type { PlacedLink } from '~/platform/shell/categories'
import type { RenderElement } from '~/ui/element'

/** A banner's link as an element without content; null if it has none. */
export function bannerLink(link: PlacedLink | null): RenderElement | null {
  switch (link?.target) {
    case 'CATEGORY':
      return <Link to="/products" search={{ category: link.path }} />
    case 'PRODUCT':
      return <Link to="/products/$code" params={{ code: link.productCode }} />
    case 'URL':
      return <UrlLink url={link.url} />
    case 'PLAN':
      return <Link to="/plans/$id/products" params={{ id: link.planCode }} />
    case undefined:
      return null
    default:
      return link satisfies never
  }
}

interface UrlLinkProps extends Pick<ComponentProps<'a'>, 'className' | 'onBlur' | 'children'> {
  /** A path of the store, or an address of another site. */
  url: string
}

/** A link that the store has typed. */
export const UrlLink = ({ url, ...props }: UrlLinkProps) =>
  url.startsWith('/') ? <Link to={url} {...props} /> : <a href={url} rel="noopener" {...props} />
