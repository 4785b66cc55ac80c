//! Components, their parameters, and the two ways to leave one out.

/// Declares one parameter. This is the only place that states its name, range and unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Parameter {
    /// Name of the component.
    pub component: &'static str,
    /// Name of the parameter.
    pub name: &'static str,
    /// What it does.
    pub doc: &'static str,
    /// Its unit.
    pub unit: &'static str,
    /// Default value.
    pub default: i32,
    /// Smallest value allowed.
    pub min: i32,
    /// Largest value allowed.
    pub max: i32,
}

impl Parameter {
    /// Returns the full name, `Component.name`, under which the parameter is set.
    ///
    /// ```
    /// use cassius_search::Component;
    /// use cassius_search::alpha_beta::selectivity::NullMove;
    /// let mut names = Vec::new();
    /// NullMove::default().visit(&mut |parameter, _| names.push(parameter.full_name()));
    /// assert!(names.contains(&"NullMove.reduction".to_string()));
    /// ```
    pub fn full_name(&self) -> String {
        format!("{}.{}", self.component, self.name)
    }
}

/// Receives every parameter of a component together with its current value.
pub type Visitor<'a> = dyn FnMut(&Parameter, &mut i32) + 'a;

/// A component: a type that fills a slot of a [`Recipe`](crate::alpha_beta::Recipe).
///
/// Implemented by the [`component!`](macro@crate::component) macro, by [`Off`], by
/// [`Switch`] and by tuples of components.
pub trait Component {
    /// The component's name, as the laboratory and the program spell it.
    const NAME: &'static str;

    /// Passes every parameter to `visitor`, which may change it within its range.
    fn visit(&mut self, visitor: &mut Visitor<'_>) {
        let _ = visitor;
    }
}

/// An empty slot. It costs nothing at run time.
#[derive(Clone, Copy, Debug, Default)]
pub struct Off;

impl Component for Off {
    const NAME: &'static str = "Off";
}

/// A component that can be switched on and off at run time, for ablations.
///
/// The switch is an ordinary parameter named after the component, for example `NullMove.on`. By default
/// the component is on; in a [`Spare`] slot it is off.
#[derive(Clone, Copy, Debug)]
pub struct Switch<C, const ON: bool = true> {
    /// 1 if the component is active, 0 if the slot is empty.
    pub on: i32,
    /// The component.
    pub component: C,
}

/// A component that is off by default.
pub type Spare<C> = Switch<C, false>;

impl<C, const ON: bool> Switch<C, ON> {
    /// Whether the component is active.
    #[inline]
    pub fn is_on(&self) -> bool {
        self.on != 0
    }
}

impl<C: Default, const ON: bool> Default for Switch<C, ON> {
    fn default() -> Self {
        Switch { on: i32::from(ON), component: C::default() }
    }
}

impl<C: Component, const ON: bool> Component for Switch<C, ON> {
    const NAME: &'static str = C::NAME;

    fn visit(&mut self, visitor: &mut Visitor<'_>) {
        const DOC: &str = "Whether the component takes part";
        let parameter = Parameter {
            component: C::NAME,
            name: "on",
            doc: DOC,
            unit: "0 or 1",
            default: i32::from(ON),
            min: 0,
            max: 1,
        };
        visitor(&parameter, &mut self.on);
        self.component.visit(visitor);
    }
}

macro_rules! tuple_components {
    ($($name:ident.$index:tt)+) => {
        impl<$($name: Component),+> Component for ($($name,)+) {
            const NAME: &'static str = "several";
            fn visit(&mut self, visitor: &mut Visitor<'_>) {
                $(self.$index.visit(visitor);)+
            }
        }
    };
}
tuple_components!(A.0);
tuple_components!(A.0 B.1);
tuple_components!(A.0 B.1 C.2);
tuple_components!(A.0 B.1 C.2 D.3);
tuple_components!(A.0 B.1 C.2 D.3 E.4);
tuple_components!(A.0 B.1 C.2 D.3 E.4 F.5);
tuple_components!(A.0 B.1 C.2 D.3 E.4 F.5 G.6);
tuple_components!(A.0 B.1 C.2 D.3 E.4 F.5 G.6 H.7);
tuple_components!(A.0 B.1 C.2 D.3 E.4 F.5 G.6 H.7 I.8);
tuple_components!(A.0 B.1 C.2 D.3 E.4 F.5 G.6 H.7 I.8 J.9);
tuple_components!(A.0 B.1 C.2 D.3 E.4 F.5 G.6 H.7 I.8 J.9 K.10);

/// Declares a component: a struct whose documented fields are its parameters.
///
/// Each parameter has a default, a range and a unit. The optional `state` block adds fields that are not
/// parameters.
///
/// ```
/// use cassius_search::{component, Component};
///
/// component! {
///     /// Prunes when the static value is far above β.
///     pub struct Example {
///         /// Margin a ply.
///         margin: 80 in 0..=400 "centipawns",
///     }
/// }
///
/// let mut example = Example::default();
/// example.visit(&mut |parameter, value| {
///     assert_eq!((parameter.component, parameter.name), ("Example", "margin"));
///     *value = 90;
/// });
/// assert_eq!(example.margin, 90);
/// ```
#[macro_export]
macro_rules! component {
    ($(#[$meta:meta])* pub struct $name:ident {
        $(
            $(#[doc = $doc:literal])*
            $field:ident: $default:literal in $min:literal..=$max:literal $unit:literal,
        )*
    } $(state { $($(#[$state_meta:meta])* $state:ident: $type:ty = $init:expr,)* })?) => {
        $(#[$meta])*
        #[derive(Clone, Debug)]
        pub struct $name {
            $(
                $(#[doc = $doc])*
                #[doc = concat!(
                    "\n\nDefault ", $default, ", range ", $min, " to ", $max, ", in ", $unit, "."
                )]
                pub $field: i32,
            )*
            $($($(#[$state_meta])* $state: $type,)*)?
        }

        impl Default for $name {
            fn default() -> Self {
                $name { $($field: $default,)* $($($state: $init,)*)? }
            }
        }

        impl $crate::component::Component for $name {
            const NAME: &'static str = stringify!($name);

            fn visit(&mut self, visitor: &mut $crate::component::Visitor<'_>) {
                let _ = &visitor;
                $(visitor(
                    &$crate::component::Parameter {
                        component: stringify!($name),
                        name: stringify!($field),
                        doc: concat!($($doc),*),
                        unit: $unit,
                        default: $default,
                        min: $min,
                        max: $max,
                    },
                    &mut self.$field,
                );)*
            }
        }
    };
}
