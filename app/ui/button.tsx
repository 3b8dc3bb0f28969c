import type { ComponentPropsWithRef, ReactNode } from 'react'
import styles from './button.module.css'
import { classNames, type RenderElement, renderAs } from './element'
import { Icon, type IconName } from './icon'
import iconButtonStyles from './icon-button.module.css'
import spinnerStyles from './spinner.module.css'
import { VisuallyHidden } from './visibility'

export interface SpinnerProps {
  size?: 's' | 'm' | 'l' | undefined
  /** Announced to screen readers; leave it out where the text beside it already says what is awaited. */
  label?: string | undefined
  className?: string | undefined
}

export function Spinner({ size, label, className }: SpinnerProps) {
  const ring = (
    <span className={classNames(spinnerStyles.spinner, size && spinnerStyles[size], className)} aria-hidden />
  )
  if (!label) return ring
  return (
    <span role="status">
      {ring}
      <VisuallyHidden>{label}</VisuallyHidden>
    </span>
  )
}

export interface ButtonProps extends ComponentPropsWithRef<'button'> {
  /** One primary in a view; `inverse` is the loudest over artwork. */
  variant?: 'primary' | 'secondary' | 'outline' | 'ghost' | 'inverse' | 'danger' | undefined
  size?: 's' | 'm' | 'l' | undefined
  /** As wide as its container. */
  full?: boolean | undefined
  /** Locked and working: the size, the name and the focus stay. */
  loading?: boolean | undefined
  icon?: IconName | undefined
  iconEnd?: IconName | undefined
  /** A link to dress as a button: `<Button render={<Link to="/carts" />}>…`. */
  render?: RenderElement | undefined
}

export function Button({
  variant = 'secondary',
  size = 'm',
  full,
  loading,
  icon,
  iconEnd,
  render,
  className,
  children,
  onClick,
  type = 'button',
  ...rest
}: ButtonProps) {
  const ownClass = classNames(
    styles.button,
    styles[variant],
    size !== 'm' && styles[size],
    full && styles.full,
    className,
  )
  const iconSize = size === 's' ? 's' : 'm'
  const content: ReactNode = (
    <>
      {icon && <Icon name={icon} size={iconSize} />}
      {children}
      {iconEnd && <Icon name={iconEnd} size={iconSize} />}
    </>
  )

  if (render) return renderAs(render, { className: ownClass }, content)
  return (
    <button
      type={type}
      className={ownClass}
      // A disabled button would lose the focus to the page.
      aria-disabled={loading || undefined}
      data-loading={loading || undefined}
      aria-busy={loading || undefined}
      {...rest}
      onClick={loading ? (event) => event.preventDefault() : onClick}
    >
      {loading ? (
        <>
          <span className={styles.content}>{content}</span>
          <span className={styles.loader}>
            <Spinner />
          </span>
        </>
      ) : (
        content
      )}
    </button>
  )
}

export interface IconButtonProps extends Omit<ComponentPropsWithRef<'button'>, 'children'> {
  icon: IconName
  /** The name for those who do not see the icon. */
  label: string
  /** `glass` is for standing on pictures. */
  variant?: 'ghost' | 'soft' | 'glass' | undefined
  size?: 's' | 'm' | 'l' | undefined
  round?: boolean | undefined
  /** A number on the corner, such as what lies in the cart; 0 shows nothing. Say it in the label as well. */
  count?: number | undefined
  render?: RenderElement | undefined
}

export function IconButton({
  icon,
  label,
  variant = 'ghost',
  size = 'm',
  round,
  count,
  render,
  className,
  type = 'button',
  ...rest
}: IconButtonProps) {
  const ownClass = classNames(
    iconButtonStyles.button,
    iconButtonStyles[variant],
    size !== 'm' && iconButtonStyles[size],
    round && iconButtonStyles.round,
    className,
  )
  const content = (
    <>
      <Icon name={icon} size={size === 's' ? 's' : 'm'} />
      {count ? (
        <span className={iconButtonStyles.count} aria-hidden>
          {count > 99 ? '99+' : count}
        </span>
      ) : null}
    </>
  )

  if (render) return renderAs(render, { className: ownClass, 'aria-label': label }, content)
  return (
    <button type={type} className={ownClass} aria-label={label} {...rest}>
      {content}
    </button>
  )
}
