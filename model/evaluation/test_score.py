"""Tests of the scoring on small cases."""

import unittest

from . import score


class Answers(unittest.TestCase):
    def test_exact_match_forgives_case_and_a_final_stop_only(self):
        self.assertEqual(score.exact(" Play Music.\n", ["play music"]), 1)
        self.assertEqual(score.exact("play music, I think", ["play music"]), 0)
        self.assertEqual(score.exact("", ["play music"]), 0)

    def test_squad(self):
        self.assertEqual(score.squad_exact("The Denver Broncos!", ["Denver Broncos"]), 1)
        self.assertAlmostEqual(score.squad_f1("the Broncos of Denver", ["Denver Broncos", "New York"]), 0.8)
        self.assertEqual(score.squad_f1("", ["Denver"]), 0)

    def test_rouge_l_takes_the_best_reference_in_order(self):
        self.assertEqual(score.rouge_l("A b c.", ["a b c"]), 1)
        self.assertAlmostEqual(score.rouge_l("c a b", ["a b c", "x"]), 2 / 3)
        self.assertEqual(score.rouge_l("", ["a"]), 0)

    def test_the_last_number_counts(self):
        self.assertEqual(score.same_number("3 + 4 = 7.", "7"), 1)
        self.assertEqual(score.same_number("The answer is 1,200", "That makes 1200."), 1)
        self.assertEqual(score.same_number("7 is 3 plus 4", "7"), 0)
        self.assertEqual(score.same_number("I do not know", "7"), 0)

    def test_mean_and_error(self):
        self.assertEqual(score.mean_and_error([1, 1, 1]), (1, 0))
        mean, error = score.mean_and_error([0, 1] * 50)
        self.assertEqual((mean, round(error, 3)), (0.5, 0.05))

    def test_values_of_one_row_are_not_independent(self):
        mean, error = score.mean_and_error([1] * 10 + [0] * 10, [5, 5, 5, 5])
        self.assertEqual((mean, round(error, 3)), (0.5, 0.289))
        self.assertEqual(score.mean_and_error([1, 0], [2]), (0.5, 0))

    def test_the_best_overlap_sentence(self):
        text = "Rome is old. The river Tiber flows through Rome. It rains."
        self.assertEqual(
            score.best_overlap_sentence(text, "Which river flows through Rome?"), "The river Tiber flows through Rome."
        )

    def test_naive_bayes_chooses_among_the_options(self):
        bayes = score.NaiveBayes(
            [
                ("play a song", "music"),
                ("play some jazz", "music"),
                ("will it rain", "weather"),
                ("book a table", "food"),
            ]
        )
        self.assertEqual(bayes.choose("play jazz", ["weather", "music"]), "music")
        self.assertEqual(bayes.choose("play rain", ["weather", "food"]), "weather")
        self.assertEqual(bayes.choose("play jazz", ["never seen", "weather"]), "weather")
        self.assertEqual(bayes.majority(), "music")


class Records(unittest.TestCase):
    record = score.record_of(
        "name[The Mill], eatType[pub], customer rating[3 out of 5], familyFriendly[no], near[Raja Indian Cuisine]"
    )
    vocabulary = ["The Mill", "pub", "coffee shop", "Indian", "Raja Indian Cuisine", "3 out of 5", "high"]

    def test_what_is_said(self):
        self.assertEqual(
            score.share_stated(
                self.record, "The Mill is a pub near Raja Indian Cuisine, rated 3/5. It isn't family-friendly."
            ),
            1,
        )
        self.assertEqual(
            score.share_stated(
                self.record, "The Mill is a public house, rated three out of five. Families are welcome."
            ),
            0.4,
        )
        twice = score.record_of("priceRange[high], customer rating[high]")
        self.assertEqual(score.share_stated(twice, "It has a high price."), 0.5)
        self.assertEqual(score.share_stated(twice, "Highly rated, with high prices."), 1)

    def test_what_is_invented(self):
        self.assertEqual(
            score.has_invented(
                self.record, "The Mill is a pub near Raja Indian Cuisine, not for children.", self.vocabulary
            ),
            0,
        )
        self.assertEqual(score.has_invented(self.record, "The Mill serves Indian food.", self.vocabulary), 1)
        self.assertEqual(score.has_invented(self.record, "The Mill is kid friendly.", self.vocabulary), 1)
        self.assertEqual(
            score.has_invented([("name", "The Mill")], "The Mill is not family friendly.", self.vocabulary), 1
        )

    def test_families(self):
        self.assertEqual(score.family_friendly("It is not expensive, and it is child friendly."), "yes")
        self.assertEqual(score.family_friendly("A family friendly restaurant."), "yes")
        self.assertEqual(score.family_friendly("Children are not welcome."), "no")
        self.assertEqual(score.family_friendly("An adults-only pub."), "no")
        self.assertIsNone(score.family_friendly("A restaurant on the riverside."))

    def test_the_template_says_all_and_invents_nothing(self):
        text = score.record_template(self.record)
        self.assertEqual(
            (score.share_stated(self.record, text), score.has_invented(self.record, text, self.vocabulary)), (1, 0)
        )

    def test_values_stand_there_as_whole_words(self):
        names = [("", "Ann"), ("", "5")]
        self.assertEqual(score.share_stated(names, "anna at 15, ANN at 5"), 1)
        self.assertEqual(score.share_stated(names, "anna at 15"), 0)
