import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { BannerLink } from '#contract/content.ts'
import { useCategories } from '~/platform/shell/shell.functions'

interface BannerAnchorProps {
  link: BannerLink | null
  className?: string | undefined
  children: ReactNode
}

/** Where a banner leads: into the catalogue, to a plan, to an address, or nowhere. */
export function BannerAnchor({ link, className, children }: BannerAnchorProps) {
  const categories = useCategories()
  switch (link?.target) {
    case 'CATEGORY': {
      const category = categories.find(({ id }) => id === link.categoryId)
      if (!category) return <div className={className}>{children}</div>
      return (
        <Link to="/products" search={{ category: category.path }} className={className}>
          {children}
        </Link>
      )
    }
    case 'PRODUCT':
      return (
        <Link to="/products/$code" params={{ code: link.productCode }} className={className}>
          {children}
        </Link>
      )
    case 'PLAN':
      return (
        <Link to="/plans/$id/products" params={{ id: link.planCode }} className={className}>
          {children}
        </Link>
      )
    case 'URL':
      return (
        <a href={link.url} className={className}>
          {children}
        </a>
      )
    default:
      return <div className={className}>{children}</div>
  }
}
