package io.holdfast

import com.tngtech.archunit.base.DescribedPredicate
import com.tngtech.archunit.core.domain.JavaClass
import com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage
import com.tngtech.archunit.core.importer.{ClassFileImporter, ImportOption}
import com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses
import com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices
import org.scalatest.funsuite.AnyFunSuite

/** Who may know whom, by the class files. */
class PackagesSpec extends AnyFunSuite {
  private lazy val classes =
    new ClassFileImporter().withImportOption(new ImportOption.DoNotIncludeTests).importPackages("io.holdfast")

  private val ours: DescribedPredicate[JavaClass] = resideInAPackage("io.holdfast..")

  private def but(name: String): DescribedPredicate[JavaClass] =
    ours.and(DescribedPredicate.not(resideInAPackage(s"io.holdfast.$name..")))

  test("no two packages know each other, directly or by others") {
    assert(classes.contain("io.holdfast.HoldfastPlugin") && classes.contain("io.holdfast.session.Session"))
    slices().matching("io.(**)").should().beFreeOfCycles().check(classes)
  }

  test("the logger knows nothing of Holdfast: what fails can always be said") {
    noClasses()
      .that()
      .resideInAPackage("io.holdfast.notice..")
      .should()
      .dependOnClassesThat(but("notice"))
      .check(classes)
  }

  test("what runs on Java 8 knows the rest by name only") {
    noClasses().that().resideInAPackage("io.holdfast.entry..").should().dependOnClassesThat(but("entry")).check(classes)
  }

  test("nobody knows what users call") {
    val called =
      ours.and(DescribedPredicate.describe("are what users call", (c: JavaClass) => c.getPackageName == "io.holdfast"))
    noClasses().that().resideOutsideOfPackage("io.holdfast").should().dependOnClassesThat(called).check(classes)
  }
}
