//! Components, their parameters, and the two ways to leave one out.

/// The declaration of one parameter: the single place where its name, range and unit stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parameter {
    /// Name of the component.
    pub component: &'static str,
    /// Name of the parameter.
    pub name: &'static str,
    /// What it does.
    pub doc: &'static str,
    /// Its unit.
    pub unit: &'static str,
    /// Value if nothing else is said.
    pub default: i32,
    /// Least value allowed.
    pub min: i32,
    /// Greatest value allowed.
    pub max: i32,
}

impl Parameter {
    /// `Component.name`, as it is set.
    ///
    /// ```
    /// use cassius_search::{Component, NullMove};
    /// let mut names = Vec::new();
    /// NullMove::default().visit(&mut |parameter, _| names.push(parameter.full_name()));
    /// assert!(names.contains(&"NullMove.reduction".to_string()));
    /// ```
    pub fn full_name(&self) -> String {
        format!("{}.{}", self.component, self.name)
    }
}

/// Receives every parameter of a component together with its present value.
pub type Visitor<'a> = dyn FnMut(&Parameter, &mut i32) + 'a;

/// What fills a slot of a [`Recipe`](crate::Recipe).
///
/// Implemented by the [`component!`](crate::component) macro, by [`Off`], by
/// [`Switch`] and by tuples of components.
pub trait Component {
    /// The component's name, as the laboratory and the program spell it.
    const NAME: &'static str;

    /// Shows every parameter to `visitor`, which may change it within its range.
    fn visit(&mut self, visitor: &mut Visitor<'_>) {
        let _ = visitor;
    }
}

/// An empty slot. Costs nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct Off;

impl Component for Off {
    const NAME: &'static str = "Off";
}

/// A component that can be switched on and off at run time, for ablations.
///
/// The switch is an ordinary parameter, named after the component:
/// `NullMove.on`, say. Unless it is set, the component is on; in a [`Spare`] slot it is off.
#[derive(Clone, Copy, Debug)]
pub struct Switch<C, const ON: bool = true> {
    /// 1 if the component takes part, 0 if the slot is empty.
    pub on: i32,
    /// The component.
    pub component: C,
}

/// A component that takes part only if it is switched on.
pub type Spare<C> = Switch<C, false>;

impl<C, const ON: bool> Switch<C, ON> {
    /// Whether the component takes part.
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

/// Declares a component: a struct whose documented fields are its parameters,
/// each with default, range and unit, and optionally `state` that is not a parameter.
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
        $($(#[doc = $doc:literal])* $field:ident: $default:literal in $min:literal..=$max:literal $unit:literal,)*
    } $(state { $($(#[$state_meta:meta])* $state:ident: $type:ty = $init:expr,)* })?) => {
        $(#[$meta])*
        #[derive(Clone, Debug)]
        pub struct $name {
            $($(#[doc = $doc])* #[doc = concat!("\n\nDefault ", $default, ", range ", $min, " to ", $max, ", in ", $unit, ".")]
            pub $field: i32,)*
            $($($(#[$state_meta])* $state: $type,)*)?
        }

        impl Default for $name {
            fn default() -> Self {
                $name { $($field: $default,)* $($($state: $init,)*)? }
            }
        }

        impl $crate::Component for $name {
            const NAME: &'static str = stringify!($name);

            fn visit(&mut self, visitor: &mut $crate::Visitor<'_>) {
                let _ = &visitor;
                $(visitor(
                    &$crate::Parameter {
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
